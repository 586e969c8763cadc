package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fairlead/backend/change/changetest"
	"fairlead/backend/leftover"
	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// open returns a folder with some files, and the path of a folder outside it.
func open(t testing.TB) (folder *workspace.Folder, dir, outside string) {
	t.Helper()
	base := t.TempDir()
	dir, outside = filepath.Join(base, "work"), filepath.Join(base, "work-beside")
	for path, content := range map[string]string{
		"work/a.txt": "a\n", "work/sub/b.txt": "b\n", "work/.env": "SECRET=1\n",
		"work-beside/out.txt": "outside\n",
	} {
		write(t, filepath.Join(base, path), content)
	}
	folder, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	record := leftover.New(t.TempDir())
	t.Cleanup(func() { _ = record.Close() })
	folder.UseRecord(record)
	changetest.Use(t, folder)
	return folder, dir, outside
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// code returns the code of a tool error, or the whole text of any other.
func code(err error) message.ToolCode {
	var failure *message.ToolError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &failure):
		return failure.Code
	default:
		return message.ToolCode(err.Error())
	}
}

func TestWS04_SpecialFoldersAreRefused(t *testing.T) {
	base := t.TempDir()
	home := filepath.Join(base, "users", "me")
	own := filepath.Join(home, "data", "fairlead")
	project := filepath.Join(home, "project")
	keys, cloud, cached := filepath.Join(home, ".ssh"), filepath.Join(home, ".aws"), filepath.Join(home, ".cargo", "registry")
	for _, dir := range []string{own, project, filepath.Join(own, "deep"), filepath.Join(keys, "deep"), cloud, cached, filepath.Join(base, "SSH")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(base, "file"), "")
	linked := linkAll(t, base, map[string]string{
		"home-link": home, "keys-link": keys, "users/me/.gnupg": filepath.Join(base, "SSH"),
	})
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	notYet := filepath.Join(home, "config", "fairlead")
	for _, test := range []struct {
		name, dir string
		reason    workspace.RefusedReason
	}{
		{"missing", filepath.Join(base, "nothing"), workspace.RefusedMissing},
		{"a file", filepath.Join(base, "file"), workspace.RefusedFile},
		{"root", filepath.VolumeName(base) + string(filepath.Separator), workspace.RefusedRoot},
		{"home", home, workspace.RefusedHome},
		{"home by a link", filepath.Join(base, "home-link"), workspace.RefusedHome},
		{"around home", filepath.Join(base, "users"), workspace.RefusedHome},
		{"own", own, workspace.RefusedOwn},
		{"in own", filepath.Join(own, "deep"), workspace.RefusedOwn},
		{"around own", filepath.Join(home, "data"), workspace.RefusedOwn},
		{"keys", keys, workspace.RefusedKeys},
		{"in keys", filepath.Join(keys, "deep"), workspace.RefusedKeys},
		{"keys by a link", filepath.Join(base, "keys-link"), workspace.RefusedKeys},
		{"keys that are a link", filepath.Join(home, ".gnupg"), workspace.RefusedKeys},
		{"keys and more", cloud, workspace.RefusedKeys},
		{"beside keys", cached, ""},
		{"a project", project, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if strings.Contains(test.name, "link") && !linked {
				t.Skip("this system makes no symbolic links")
			}
			folder, err := workspace.Open(test.dir, own, notYet)
			if test.reason == "" {
				if err != nil {
					t.Fatal(err)
				}
				_ = folder.Close()
				return
			}
			var refused *workspace.RefusedError
			if !errors.As(err, &refused) {
				t.Fatalf("Open = %v, want a RefusedError", err)
			}
			if refused.Reason != test.reason || refused.Why == "" || refused.Hint == "" {
				t.Errorf("got %#v, want the reason %q in words, and some hint", refused, test.reason)
			}
		})
	}
}

func TestWS04_FoldersOfTheSystemAndOfProgramsAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system has other folders")
	}
	home := filepath.Join(t.TempDir(), "me")
	t.Setenv("HOME", home)
	mine := workspace.RefusedSettings
	for dir, reason := range map[string]workspace.RefusedReason{
		".config": mine, ".config/gh": mine, ".local/share/keyrings": mine, ".mozilla": mine,
		"config": "", "project/.config": "", ".dotfiles": "",
	} {
		path := filepath.Join(home, dir)
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		wantRefused(t, path, reason)
	}
	for _, dir := range []string{"/etc", "/usr", "/usr/bin", "/usr/lib", "/var", "/var/log", "/bin", "/boot", "/proc", "/proc/self", "/sys", "/dev", "/dev/shm", "/run", "/home"} {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			wantRefused(t, dir, workspace.RefusedSystem)
		}
	}
	if _, err := os.Stat("/dev/shm"); err == nil {
		dir, err := os.MkdirTemp("/dev/shm", "fairlead-test-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		wantRefused(t, dir, "")
	}
}

// wantRefused checks that a folder is refused for a reason; empty if it is not.
func wantRefused(t *testing.T, dir string, reason workspace.RefusedReason) {
	t.Helper()
	folder, err := workspace.Open(dir)
	if err == nil {
		_ = folder.Close()
	}
	refused, ok := errors.AsType[*workspace.RefusedError](err)
	switch {
	case reason == "" && err != nil, reason != "" && !ok:
		t.Errorf("Open(%s) = %v, want %q", dir, err, reason)
	case ok && (refused.Reason != reason || refused.Why == "" || refused.Hint == ""):
		t.Errorf("Open(%s): got %#v, want the reason %q in words, and some hint", dir, refused, reason)
	}
}

func TestWS04_AFolderThatIsToHoldOwnFilesIsRefused(t *testing.T) {
	dir := t.TempDir()
	if _, err := workspace.Open(dir, filepath.Join(dir, "not", "yet")); err == nil {
		t.Error("a folder around one that Fairlead will make was accepted")
	}
}
