package cli

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
		if got := watchesFinding(folder); got.state != want[0] || !strings.Contains(got.detail, want[1]) {
			t.Errorf("%q: %+v", watches, got)
		}
	}
	if got := watchesFinding(filepath.Join(folder, "none")); got.state != "missing" {
		t.Errorf("no limits: %+v", got)
	}
}

func TestCLI02_DoctorSaysWhatTheWindowLacks(t *testing.T) {
	for _, test := range []struct {
		name             string
		itself           bool
		display, wayland string
		state, detail    string
	}{
		{"all", true, ":0", "", "ok", "opens it"},
		{"on Wayland", true, "", "wayland-0", "ok", "opens it"},
		{"no display", true, "", "", "missing", "there is no display (DISPLAY"},
		{"no program", false, ":0", "", "missing", "fairlead-window is not there; fairlead run"},
		{"neither", false, "", "", "missing", "is not there, and there is no display"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("DISPLAY", test.display)
			t.Setenv("WAYLAND_DISPLAY", test.wayland)
			if got := windowFinding(test.itself); got.state != test.state || !strings.Contains(got.detail, test.detail) {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestCLI02_DoctorLooksForTheWebEngine(t *testing.T) {
	dir := t.TempDir()
	if found := webKitFinding([]string{dir, filepath.Join(dir, "*")}); found.state != "missing" || !strings.Contains(found.detail, "install") {
		t.Errorf("got %+v", found)
	}
	inside := filepath.Join(dir, "x86_64-linux-gnu")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(inside, "libwebkit2gtk-4.1.so.0"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if found := webKitFinding([]string{dir, filepath.Join(dir, "*")}); found.state != "ok" {
		t.Errorf("got %+v", found)
	}
}
