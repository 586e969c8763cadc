package desktop_test

import (
	"bufio"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"

	"fairlead/backend/desktop"
	"fairlead/backend/message"
)

// fakeOpener makes a xdg-open of its own the one that is found, and returns where it says what it
// was given.
func fakeOpener(t *testing.T) (said string) {
	t.Helper()
	dir := t.TempDir()
	said = filepath.Join(dir, "said")
	// What says so is read to its end: the program runs on after the call.
	if err := exec.Command("mkfifo", said).Run(); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nfor a; do echo \"$a\"; done >" + said + "\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return said
}

// startBus starts a session bus of the test's own.
func startBus(t *testing.T) *dbus.Conn {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Skip("dbus-daemon is not installed")
	}
	// Nothing is started by it: the file manager of the user who runs the test stays out of it.
	configuration := filepath.Join(t.TempDir(), "bus.conf")
	text := `<busconfig><type>session</type><listen>unix:dir=` + t.TempDir() + `</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`
	if err := os.WriteFile(configuration, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	daemon := exec.Command("dbus-daemon", "--config-file="+configuration, "--nofork", "--nopidfile", "--print-address=1")
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Kill() // it may have ended
		_ = daemon.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
	bus, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bus.Close() })
	return bus
}

// fileManager is one that tells what it is to show.
type fileManager struct{ shown chan []string }

func (m fileManager) ShowItems(items []string, _ string) *dbus.Error {
	m.shown <- items
	return nil
}

func filesStage(t *testing.T) *stage {
	t.Helper()
	s := open(t, "", nil)
	for name, mode := range map[string]os.FileMode{"a b#1.txt": 0o600, "go.sh": 0o700, "x.desktop": 0o600} {
		if err := os.WriteFile(filepath.Join(s.folder, name), []byte("x"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(s.folder, "out")); err != nil {
		t.Fatal(err)
	}
	s.ready()
	return s
}

func TestDESK09_AFileIsOpenedOutsideUnlessItCouldRun(t *testing.T) {
	said := fakeOpener(t)
	s := filesStage(t)
	files := service[*desktop.Files](s)
	if _, err := files.Open("a b#1.txt"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(said)
	if want := filepath.Join(s.folder, "a b#1.txt") + "\n"; err != nil || string(got) != want {
		t.Errorf("opened %q, %v; want %q", got, err, want)
	}
	for path, want := range map[string]desktop.Code{
		"go.sh": desktop.CodeRunnable, "x.desktop": desktop.CodeRunnable,
		"out": desktop.Code(message.PathOutsideWorkspace), "gone": desktop.Code(message.FileNotFound), ".": desktop.Code(message.UnsupportedFile),
	} {
		if _, err := files.Open(path); code(t, err) != want {
			t.Errorf("open %s: %v, want %s", path, err, want)
		}
	}
	if _, err := files.Reveal("out"); code(t, err) != desktop.Code(message.PathOutsideWorkspace) {
		t.Errorf("a link that leads out is shown: %v", err)
	}
}

func TestDESK09_AFileIsShownByTheFileManager(t *testing.T) {
	bus := startBus(t)
	manager := fileManager{make(chan []string, 1)}
	if err := bus.Export(manager, "/org/freedesktop/FileManager1", "org.freedesktop.FileManager1"); err != nil {
		t.Fatal(err)
	}
	if reply, err := bus.RequestName("org.freedesktop.FileManager1", dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	s := filesStage(t)
	for _, path := range []string{"a b#1.txt", "go.sh"} {
		if _, err := service[*desktop.Files](s).Reveal(path); err != nil {
			t.Fatal(err)
		}
		want := (&url.URL{Scheme: "file", Path: filepath.Join(s.folder, path)}).String()
		if diff := cmp.Diff([]string{want}, <-manager.shown); diff != "" {
			t.Error(diff)
		}
	}
}

func TestDESK09_WithoutAFileManagerTheFolderIsOpened(t *testing.T) {
	startBus(t)
	said := fakeOpener(t)
	s := filesStage(t)
	if _, err := service[*desktop.Files](s).Reveal("go.sh"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(said); err != nil || string(got) != s.folder+"\n" {
		t.Errorf("opened %q, %v", got, err)
	}
}

func TestDESK09_FilesOfTheFolderAreKnown(t *testing.T) {
	s := filesStage(t)
	var known desktop.KnownFiles
	s.read("/fairlead/known?name=./go.sh&name=gone&name=out&name=a+b%231.txt&name=../x&name=.", &known)
	if diff := cmp.Diff([]desktop.KnownFile{{"./go.sh", "go.sh"}, {"a b#1.txt", "a b#1.txt"}}, known.Files); diff != "" {
		t.Error(diff)
	}
	if answer := s.get("/fairlead/known?" + strings.Repeat("name=a&", 101)); !strings.Contains(answer.Body.String(), "at most 100") {
		t.Errorf("101 paths: %s", answer.Body)
	}
}
