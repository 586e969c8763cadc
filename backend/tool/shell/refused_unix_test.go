//go:build unix

package shell_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/tool/shell"
)

func TestSEC08_ARefusalIsExplainedInTheBackground(t *testing.T) {
	b := open(t, func(o *shell.Options) {
		o.Before = func(context.Context) ([]string, func(context.Context) []message.Notice) {
			return []string{".git/", ".git/config", ".vscode"}, nil
		}
	})
	const refused = `echo 'error: could not write config file .git/config: Device or resource busy' >&2; `
	want := message.Notice{Code: message.NoticePinned, Data: message.NoticeData{Path: ".git/config", Autorun: message.AutorunGit}}
	has := func(r message.Result) bool {
		return slices.ContainsFunc(r.Notices, func(n message.Notice) bool { return reflect.DeepEqual(n, want) })
	}
	result := b.run(t, "shell_start", command(t, refused+held("exit 1")))
	if !has(result) {
		result = b.run(t, "shell_status", `{"processId":"p1"}`) // the first look was too early
	}
	if !has(result) || !strings.Contains(result.Content.Text(), "p1") {
		t.Errorf("while it runs: %v, %s", result.Notices, result.Text())
	}
	b.release(t)
	b.await(t, "p1")
	if result := b.run(t, "shell_status", `{"processId":"p1"}`); len(result.Notices) != 0 {
		t.Errorf("said again: %v", result.Notices)
	}
	b.run(t, "shell_start", command(t, "while [ -e go ]; do sleep 0.01; done; "+refused+"exit 1"))
	if err := os.Remove(filepath.Join(b.Folder.Path(), "go")); err != nil {
		t.Fatal(err)
	}
	b.await(t, "p2")
	if result := b.run(t, "shell_status", `{"processId":"p2"}`); !has(result) {
		t.Errorf("of one that has ended: %v, %s", result.Notices, result.Text())
	}
}
