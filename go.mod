module fairlead

go 1.26.5

ignore ./frontend/node_modules

require (
	github.com/DeRuina/timberjack v1.4.9
	github.com/adrg/xdg v0.5.3
	github.com/agnivade/levenshtein v1.2.1
	github.com/alecthomas/kong v1.17.0
	github.com/bmatcuk/doublestar/v4 v4.10.4
	github.com/gabriel-vasile/mimetype v1.4.16
	github.com/git-pkgs/gitignore v1.2.0
	github.com/google/go-cmp v0.7.0
	github.com/google/jsonschema-go v0.4.3
	github.com/google/uuid v1.6.0
	github.com/kaptinlin/jsonrepair v0.2.15
	github.com/pelletier/go-toml/v2 v2.4.3
	github.com/rogpeppe/go-internal v1.16.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/sashabaranov/go-openai v1.43.0
	github.com/wlynxg/chardet v1.0.5
	go.uber.org/goleak v1.3.0
	golang.org/x/sys v0.49.0
	golang.org/x/term v0.47.0
	golang.org/x/text v0.43.0
	znkr.io/diff v1.0.1
)

require (
	github.com/go-json-experiment/json v0.0.0-20251027170946-4849db3c2f7e // indirect
	github.com/klauspost/compress v1.18.7 // indirect
	golang.org/x/tools v0.51.0 // indirect
)
