package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCLI02_DoctorWarnsOfFewWatches(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("max_user_instances", "128\n")
	for watches, want := range map[string][2]string{
		"65536\n": {"ok", "65536 folders can be watched, by 128 programs"},
		"65535\n": {"missing", "sudo sysctl fs.inotify.max_user_watches=524288"},
		"many\n":  {"missing", "read the limits of watching"},
	} {
		write("max_user_watches", watches)
		if got := watchesFinding(folder); string(got.State) != want[0] || !strings.Contains(got.Detail, want[1]) {
			t.Errorf("%q: %+v", watches, got)
		}
	}
	if got := watchesFinding(filepath.Join(folder, "none")); got.State != Missing {
		t.Errorf("no limits: %+v", got)
	}
}

func TestCLI02_DoctorLooksForTheWebEngine(t *testing.T) {
	dir := t.TempDir()
	if found := webKitFinding([]string{dir, filepath.Join(dir, "*")}); found.State != Missing || !strings.Contains(found.Detail, "install") {
		t.Errorf("got %+v", found)
	}
	inside := filepath.Join(dir, "x86_64-linux-gnu")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(inside, "libwebkit2gtk-4.1.so.0"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if found := webKitFinding([]string{dir, filepath.Join(dir, "*")}); found.State != OK {
		t.Errorf("got %+v", found)
	}
}
