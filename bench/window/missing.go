package window

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
)

// Missing says why the window cannot be measured here: "" when it can.
func Missing(ctx context.Context) string {
	if runtime.GOOS != "linux" {
		return "that needs the displays and the process table of Linux"
	}
	for _, program := range []string{
		"Xvfb", "openbox", "dbus-daemon", "gdbus", "gnome-keyring-daemon", "setpriv", "xdotool", "node", "npm", "pkg-config", "gcc", python,
	} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Sprintf("%s is missing; a desktop needs the packages of e2e/packages.txt, a window those of make build", program)
		}
	}
	if exec.CommandContext(ctx, "pkg-config", "--exists", "webkit2gtk-4.1", "gtk+-3.0").Run() != nil {
		return "the headers of WebKitGTK are missing; make build installs them"
	}
	if exec.CommandContext(ctx, python, "-c", "import gi").Run() != nil {
		return python + " cannot import gi; the driver needs the packages of e2e/packages.txt"
	}
	return ""
}
