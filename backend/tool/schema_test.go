package tool_test

import (
	"strings"
	"testing"

	"fairlead/backend/tool"
)

func TestSchemaIsPlain(t *testing.T) {
	type edit struct {
		Old string `json:"old" jsonschema:"text to find"`
		All bool   `json:"all,omitempty"`
	}
	type arguments struct {
		Path  string `json:"path" jsonschema:"file"`
		Edits []edit `json:"edits"`
		Limit int    `json:"limit,omitempty"`
	}
	want := `{"type":"object","properties":{"path":{"type":"string","description":"file"},` +
		`"edits":{"type":"array","items":{"type":"object","properties":{"old":{"type":"string","description":"text to find"},` +
		`"all":{"type":"boolean"}},"required":["old"],"additionalProperties":false}},"limit":{"type":"integer"}},` +
		`"required":["path","edits"],"additionalProperties":false}`
	if got := string(tool.Schema[arguments]()); got != want {
		t.Errorf("Schema:\n got %s\nwant %s", got, want)
	}
}

func TestDecodeSaysHowToWriteAWholeNumber(t *testing.T) {
	type arguments struct {
		Limit int `json:"limit"`
	}
	for _, number := range []string{"10.0", "1e2"} {
		_, err := tool.Decode[arguments]([]byte(`{"limit":` + number + `}`))
		if err == nil || !strings.Contains(err.Error(), "at limit: write number "+number+" without a point") {
			t.Errorf("%s: %v", number, err)
		}
	}
}
