package sandbox

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/sandbox/overlay"
)

func TestPRE01_ACommandOnAnOverlayLeavesTheFolderAsItIs(t *testing.T) {
	space, workspace := open(t, Without{})
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(workspace, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a", "old\n")
	write("gone", "gone\n")
	if err := os.MkdirAll(filepath.Join(workspace, "sub", "deep"), 0o750); err != nil {
		t.Fatal(err)
	}
	write("sub/deep/b", "b\n")
	lower, err := os.OpenRoot(workspace)
	if err != nil {
		t.Fatal(err)
	}
	defer lower.Close()
	layer, err := overlay.New(filepath.Join(filepath.Dir(workspace), "data", "layer"))
	if err != nil {
		t.Fatal(err)
	}
	if err := layer.Begin(lower, []byte("a test")); err != nil {
		t.Fatal(err)
	}
	p, out := begin(t, space, Command{
		Line: "echo new >>a && rm gone && rm -r sub && mkdir sub && echo c >sub/c && cat a && stat -f -c %T . && ls " + layer.Dir, Overlay: layer.Dir,
	})
	said, _ := io.ReadAll(out)
	<-p.Done()
	code, _, err := p.Result()
	t.Logf("code %d, %v: %s", code, err, said)
	if text, err := os.ReadFile(filepath.Join(workspace, "a")); err != nil || string(text) != "old\n" {
		t.Errorf("a holds %q, %v", text, err)
	}
	for _, name := range []string{"gone", "sub/deep/b"} {
		if _, err := os.Stat(filepath.Join(workspace, name)); err != nil {
			t.Error(err)
		}
	}
	if text, err := layer.Upper.ReadFile("a"); err != nil || string(text) != "old\nnew\n" {
		t.Errorf("the layer's a holds %q, %v", text, err)
	}
	info, err := layer.Upper.Lstat("gone")
	if err != nil || !overlay.IsWhiteout(info) {
		t.Errorf("gone is %v, %v", info, err)
	}
	if err := layer.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(layer.Dir); !os.IsNotExist(err) {
		t.Errorf("the layer is left: %v", err)
	}
}
