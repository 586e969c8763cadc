package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/workspace"

	"github.com/google/go-cmp/cmp"
)

// walk returns the visited paths, folders with a slash.
func walk(t *testing.T, folder *workspace.Folder, start string) ([]string, workspace.Walked) {
	t.Helper()
	var got []string
	walked, err := folder.Walk(t.Context(), start, func(e workspace.Entry) error {
		path := e.Path
		if e.Type.IsDir() {
			path += "/"
		}
		got = append(got, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, walked
}

func TestWalkLeavesOutWhatGitIgnores(t *testing.T) {
	folder, dir, outside := open(t)
	for path, content := range map[string]string{
		".gitignore":         "*.log\n/build/\n!keep.log\ndist/**\n!dist/keep.txt\n",
		".git/config":        "",
		".git/info/exclude":  "private\n",
		"private":            "",
		"node_modules/m.js":  "",
		"build/out":          "",
		"dist/keep.txt":      "",
		"dist/drop.txt":      "",
		"x.log":              "",
		"keep.log":           "",
		"sub/.gitignore":     "*.tmp\n!x.log\n",
		"sub/x.log":          "",
		"sub/y.log":          "",
		"sub/z.tmp":          "",
		"other/z.tmp":        "",
		"other/build/kept":   "",
		"other/.ssh/id_rsa":  "",
		"other/deploy.pem":   "",
		"other/.env.example": "",
	} {
		write(t, filepath.Join(dir, path), content)
	}
	want := []string{
		".gitignore", "a.txt", "dist/", "dist/keep.txt", "keep.log", "other/", "other/.env.example", "other/build/",
		"other/build/kept", "other/z.tmp", "sub/", "sub/.gitignore", "sub/b.txt", "sub/x.log",
	}
	if sandboxtest.TryLink(t, outside, filepath.Join(dir, "way-out")) {
		want = append(want, "way-out")
	}
	got, walked := walk(t, folder, ".")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("visited (-want +got):\n%s", diff)
	}
	if walked.Secret != 3 || walked.Capped {
		t.Errorf("%+v, want 3 secrets", walked)
	}
	for start, want := range map[string][]string{
		"sub":          {"sub/.gitignore", "sub/b.txt", "sub/x.log"},
		"node_modules": {"node_modules/m.js"},
		"build":        {"build/out"},
		"a.txt":        {"a.txt"},
	} {
		if got, _ := walk(t, folder, start); !cmp.Equal(got, want) {
			t.Errorf("from %s visited %v, want %v", start, got, want)
		}
	}
}

func TestWalkRefusesWhatReadingRefuses(t *testing.T) {
	folder, dir, outside := open(t)
	starts := map[string]message.ToolCode{
		"..": message.PathOutsideWorkspace, "missing": message.FileNotFound, ".env": message.DeniedFile, ".ssh": message.DeniedFile,
	}
	if sandboxtest.TryLink(t, outside, filepath.Join(dir, "way-out")) {
		starts["way-out"] = message.PathOutsideWorkspace
	}
	for start, want := range starts {
		_, err := folder.Walk(t.Context(), start, func(workspace.Entry) error { return errors.New("visited") })
		if code(err) != want {
			t.Errorf("Walk(%s) = %v, want %s", start, err, want)
		}
	}
}

func TestWalkCanBeCutShort(t *testing.T) {
	folder, _, _ := open(t)
	for _, test := range []struct {
		at   string
		err  error
		want string
	}{
		{"a.txt", fs.SkipAll, "a.txt"},
		{"sub", fs.SkipDir, "a.txt sub"},
	} {
		var got []string
		_, err := folder.Walk(t.Context(), ".", func(e workspace.Entry) error {
			got = append(got, e.Path)
			if e.Path == test.at {
				return test.err
			}
			return nil
		})
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("visited %v, %v; want %s", got, err, test.want)
		}
	}
}

func TestWalkEndsWithItsContext(t *testing.T) {
	folder, dir, _ := open(t)
	for i := range 3000 {
		write(t, filepath.Join(dir, "many", fmt.Sprint(i)), "")
	}
	ctx, cancel := context.WithCancel(t.Context())
	visited := 0
	began := time.Now()
	_, err := folder.Walk(ctx, ".", func(e workspace.Entry) error {
		if visited++; e.Depth == 2 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || visited > 4 {
		t.Errorf("visited %d entries, %v", visited, err)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("took %v", took)
	}
}

func TestOutputsKeepOneSessionsTexts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "outputs")
	outputs, err := workspace.OpenOutputs(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"call_1", "../../escape", strings.Repeat("x", 5000)} {
		w, err := outputs.Create(id)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte("all of " + id))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		file, err := outputs.OpenFile("output:" + id)
		if err != nil {
			t.Fatal(err)
		}
		content, err := file.ReadAll(t.Context(), 1<<20)
		_ = file.Close()
		if string(content) != "all of "+id || err != nil {
			t.Errorf("read %.40q, %v", content, err)
		}
	}
	if _, err := outputs.OpenFile("output:other"); code(err) != message.FileNotFound {
		t.Errorf("OpenFile of no call = %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Fatalf("the folder holds %v, %v", entries, err)
	}
	if err := outputs.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestOutputsStayWhenTheyAreClosed(t *testing.T) {
	for _, keeps := range []bool{true, false} {
		dir := filepath.Join(t.TempDir(), "outputs")
		outputs, err := workspace.OpenOutputs(dir)
		if err != nil {
			t.Fatal(err)
		}
		if keeps {
			w, err := outputs.Create("call_1")
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := outputs.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dir); keeps != (err == nil) {
			t.Errorf("keeps something: %v; afterwards: %v", keeps, err)
		}
	}
}

func TestWalkSaysWhichPathsAreTooLong(t *testing.T) {
	folder, dir, _ := open(t)
	long := strings.Repeat("x", 240)
	if runtime.GOOS == "windows" {
		t.Skip("this system has no such paths")
	}
	write(t, filepath.Join(dir, long, long, long, long, "short"), "")
	write(t, filepath.Join(dir, long, long, long, long, long, "below"), "")
	got, walked := walk(t, folder, strings.Join([]string{long, long, long, long}, "/"))
	if len(got) != 1 || !strings.HasSuffix(got[0], "/short") || walked.TooLong != 1 {
		t.Errorf("visited %q, %+v", got, walked)
	}
	if said := walked.LeftOut(); len(said) != 1 || said[0] != "1 with paths of more than 1024 bytes left out" {
		t.Errorf("said %q", said)
	}
	listing, err := folder.List(t.Context(), strings.Join([]string{long, long, long, long}, "/"))
	if err != nil || len(listing.Entries) != 1 || !listing.More {
		t.Errorf("%+v, %v", listing, err)
	}
}
