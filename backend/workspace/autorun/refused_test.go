package autorun_test

import (
	"testing"

	"fairlead/backend/workspace/autorun"
)

func TestSEC08_ARefusalNamesReasonAndWay(t *testing.T) {
	pins := []string{".git/", ".git/config", ".git/hooks", ".vscode", "sub/.idea", "githooks"}
	for line, want := range map[string]string{
		"error: could not write config file .git/config: Device or resource busy":            ".git/config",
		"sh: 1: cannot create .git/hooks/pre-commit: Read-only file system":                  ".git/hooks",
		"mv: cannot move '.git' to 'old': Device or resource busy":                           ".git",
		"OSError: [Errno 30] Read-only file system: '.vscode/tasks.json'":                    ".vscode",
		"Error: EROFS: read-only file system, open '.idea/workspace.xml'":                    "sub/.idea",
		"touch: cannot touch ‘githooks/x’: Read-only file system":                            "githooks",
		"error: unable to unlink old '/home/u/w/.vscode/tasks.json': Read-only file system":  ".vscode",
		"first line\nrm: cannot remove '.git/commondir': Device or resource busy\nlast line": ".git",
		"touch: cannot touch '/usr/x': Read-only file system":                                "",
		".vscode/tasks.json: Permission denied":                                              "",
		"touch: cannot touch 'my.vscode.bak': Read-only file system":                         "",
	} {
		got, ok := autorun.Refused(line, pins)
		if got.Path != want || ok != (want != "") {
			t.Errorf("%s: %q", line, got.Path)
		}
		if ok && got.Code != autorun.CodePinned {
			t.Errorf("said %v", got)
		}
	}
}
