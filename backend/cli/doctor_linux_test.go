package cli

import (
	"strings"
	"testing"
)

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
			if got := windowFinding(test.itself); string(got.State) != test.state || !strings.Contains(got.Detail, test.detail) {
				t.Errorf("%+v", got)
			}
		})
	}
}
