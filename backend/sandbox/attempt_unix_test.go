//go:build unix

package sandbox

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fairlead/backend/leftover"
	"fairlead/backend/message"

	"github.com/google/go-cmp/cmp"
)

// play has a shell make all attempts in a fresh scene.
func play(t *testing.T, shell ...string) (worked map[string]bool, usable bool) {
	t.Helper()
	dir := t.TempDir()
	s, err := newScene(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	private := filepath.Join(dir, "private")
	if err := os.Mkdir(private, 0o700); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), shell[0], shell[1:]...)
	command.Dir, command.Env = s.workspace, append(s.environmentVariables(), "TMPDIR="+private)
	said, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	return readAttempts(string(said))
}

// What is tried has to work where nothing keeps it from that, or it says nothing
// of what does.
func TestSEC02_AttemptsWorkUnconfined(t *testing.T) {
	worked, usable := play(t, seatbeltCommand("", tryAll())...)
	if name := unprovenAttempt(worked); name != "" || !usable {
		t.Errorf("a command could not %s; usable: %v", name, usable)
	}
	if _, err := exec.LookPath("perl"); err == nil && !worked["connect to another program's socket"] {
		t.Error("the socket was not reached")
	}
}

func TestSEC02_NoAttemptWorksWithoutAShell(t *testing.T) {
	worked, usable := play(t, "true")
	for name, did := range worked {
		if did {
			t.Errorf("true could %s", name)
		}
	}
	if usable || len(worked) != len(attempts) {
		t.Errorf("usable: %v, %d attempts", usable, len(worked))
	}
	if unprovenAttempt(worked) == "" {
		t.Error("what did not work proves something")
	}
}

func TestSEC02_EveryAttemptIsTold(t *testing.T) {
	for i, a := range attempts {
		worked, usable := readAttempts("works\n" + strconv.Itoa(i) + "\n")
		want := map[string]bool{}
		for _, other := range attempts {
			want[other.name] = other.name == a.name
		}
		if diff := cmp.Diff(want, worked); diff != "" || !usable {
			t.Errorf("%s: %s", a.name, diff)
		}
		level, gaps, why := limitedLevel(worked, false)
		if a.name == changeGit {
			if level != message.LevelLimited || !slices.Contains(gaps, GapGit) {
				t.Errorf("%s: level %s, %v", a.name, level, gaps)
			}
		} else if level != message.LevelNone || !strings.Contains(why, a.name) {
			t.Errorf("a command can %s: level %s, because %s", a.name, level, why)
		}
	}
}

func TestSEC02_LimitedIsTheMost(t *testing.T) {
	none := map[string]bool{}
	level, gaps, why := limitedLevel(none, false)
	if level != message.LevelLimited || !slices.Equal(gaps, []Gap{GapServers}) || why == "" {
		t.Errorf("level %s, gaps %v, because %q", level, gaps, why)
	}
	if level, _, why := limitedLevel(none, true); level != message.LevelNone || !strings.Contains(why, "root") {
		t.Errorf("root: level %s, because %q", level, why)
	}
	all := map[string]bool{}
	for _, a := range attempts {
		all[a.name] = true
	}
	if unprovenAttempt(all) != "" {
		t.Error("not everything proves something")
	}
	for _, a := range attempts {
		without := maps.Clone(all)
		without[a.name] = false
		if got := unprovenAttempt(without); (got == a.name) != a.sure {
			t.Errorf("without %q: %q", a.name, got)
		}
	}
}

func TestSEC02_AShellSaysThatItIsConfined(t *testing.T) {
	const line = `echo "$0 $#"; { echo more >&3; } 2>/dev/null || echo closed; exit 3`
	for want, arguments := range map[string][]string{
		"/bin/sh 0\nclosed\n": seatbeltCommand("", line), "a b 1\nclosed\n": seatbeltServer("", "/bin/sh", []string{"-c", line, "a b", "$c"}),
	} {
		wantConfinedShell(t, want, arguments)
	}
}

// wantConfinedShell runs a shell that says on descriptor 3 that it runs.
func wantConfinedShell(t *testing.T, said string, arguments []string) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	command := exec.Command(arguments[0], arguments[1:]...)
	command.ExtraFiles = []*os.File{write}
	output, err := command.Output()
	write.Close()
	if command.ProcessState.ExitCode() != 3 {
		t.Errorf("ended: %v", err)
	}
	if string(output) != said {
		t.Errorf("said %q", output)
	}
	word := make([]byte, 64)
	n, _ := read.Read(word)
	if string(word[:n]) != "begun\n" {
		t.Errorf("began with %q", word[:n])
	}
}

func TestSEC02_ArgumentsOfSandboxExec(t *testing.T) {
	want := []string{"/usr/bin/sandbox-exec", "-p", "(version 1)", "/bin/sh", "-c", begun, "echo 'x'"}
	if diff := cmp.Diff(want, seatbeltCommand("(version 1)", "echo 'x'")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[3:], seatbeltCommand("", "echo 'x'")); diff != "" {
		t.Error(diff)
	}
	server := []string{"/usr/bin/sandbox-exec", "-p", "(version 1)", "/bin/sh", "-c", begunServer, "/bin/cat", "-n", "a b"}
	if diff := cmp.Diff(server, seatbeltServer("(version 1)", "/bin/cat", []string{"-n", "a b"})); diff != "" {
		t.Error(diff)
	}
}

func TestSEC02_PlacesAreNamedWithoutLinks(t *testing.T) {
	dir := realPath(t.TempDir())
	for _, folder := range []string{"real/workspace", "real/tools"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(folder)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "real"), link); err != nil {
		t.Fatal(err)
	}
	got := Place{
		Workspace: filepath.Join(link, "workspace"), Private: filepath.Join(link, "not", "yet"), Home: link,
		Read: []string{filepath.Join(link, "tools") + "/", filepath.Join(dir, "real")}, Hide: []string{filepath.Join(link, "none", "..", "tools")},
	}.realPlace()
	want := Place{
		Workspace: filepath.Join(dir, "real", "workspace"), Private: filepath.Join(dir, "real", "not", "yet"), Home: filepath.Join(dir, "real"),
		Read: []string{filepath.Join(link, "tools"), filepath.Join(dir, "real"), filepath.Join(dir, "real", "tools")}, Hide: []string{filepath.Join(dir, "real", "tools")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestREL04_ASceneIsOnRecordWhileItIsThere(t *testing.T) {
	parent := realPath(sceneParent())
	record := leftover.New(filepath.Join(t.TempDir(), "left"))
	root, err := os.OpenRoot(parent)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var seen os.FileInfo
	onRecord := func() bool { return record.Names(root, parent, seen.Name(), seen) }
	_, err = inScene(record, func(s *scene) (map[string]bool, error) {
		if seen, err = os.Lstat(s.dir); err != nil {
			t.Fatal(err)
		}
		if !onRecord() || filepath.Dir(s.dir) != parent {
			t.Errorf("%s is not on record", s.dir)
		}
		return nil, nil
	})
	if err != nil || onRecord() {
		t.Errorf("%v; the scene is still on record", err)
	}
	if _, err := root.Lstat(seen.Name()); err == nil {
		t.Error("it is left")
	}
}
