module fairlead

go 1.26.5

ignore ./frontend/node_modules

require (
	github.com/DeRuina/timberjack v1.4.9 // indirect
	github.com/adrg/xdg v0.5.3 // indirect
	github.com/alecthomas/kong v1.17.0 // indirect
	github.com/bmatcuk/doublestar/v4 v4.10.4 // indirect
	github.com/gabriel-vasile/mimetype v1.4.16 // indirect
	github.com/git-pkgs/gitignore v1.2.0 // indirect
	github.com/go-json-experiment/json v0.0.0-20251027170946-4849db3c2f7e // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/kaptinlin/jsonrepair v0.2.15 // indirect
	github.com/klauspost/compress v1.18.7 // indirect
	github.com/natefinch/atomic v1.0.1 // indirect
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	github.com/sashabaranov/go-openai v1.43.0 // indirect
	github.com/wlynxg/chardet v1.0.5 // indirect
	go.uber.org/goleak v1.3.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/term v0.47.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
	znkr.io/diff v1.0.1 // indirect
)
