package process

import "testing"

// Tests that write to an output themselves write UTF-8, as on other systems.
func init() { outputPage = func() uint32 { return 65001 } }

func TestTOOL04_CommandsWriteInTheCodePageOfNewConsoles(t *testing.T) {
	before := outputPage
	defer func() { outputPage = before }()
	outputPage = newConsolePage
	for _, test := range []struct {
		line, want string
		code       int
	}{
		{"echo one& echo two 1>&2& exit /b 3", "one\r\ntwo \r\n", 3},
		{"echo café", "café\r\n", 0},
		{`echo "a  b" c^&d`, "\"a  b\" c&d\r\n", 0},
	} {
		exit, err := Run(t.Context(), Command{Line: test.line, Dir: t.TempDir()})
		if err != nil || exit.Code != test.code || exit.Text.Head != test.want {
			t.Errorf("%s: %d, %q, %v; want %d, %q", test.line, exit.Code, exit.Text.Head, err, test.code, test.want)
		}
	}
}
