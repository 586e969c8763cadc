package sandboxtest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// probe makes a test of this package, run in a test program of its own, end in one
// way or another.
const probe = "FAIRLEAD_TEST_PROBE"

func TestMain(m *testing.M) {
	if os.Getenv(probe) == "" && runtime.GOOS == "linux" {
		os.Exit(Main(m, "fairlead/backend/tool/shell/attack"))
	}
	os.Exit(Main(m))
}

func TestTestsAreThoseOfAnOrdinaryUser(t *testing.T) {
	if os.Getuid() == 0 && os.Getenv(rootVariable) == "" {
		t.Error("the tests run as root")
	}
	if runtime.GOOS != "windows" { // which has no groups of this kind
		if groups, err := os.Getgroups(); err != nil || slices.Contains(groups, 0) {
			t.Errorf("groups %v, %v", groups, err)
		}
	}
	folder := os.Getenv(folderVariable)
	for _, place := range []string{os.Getenv("HOME"), os.TempDir()} {
		if filepath.Dir(place) != folder {
			t.Errorf("%s is not in %s", place, folder)
		}
		if err := os.WriteFile(filepath.Join(place, "file"), nil, 0o600); err != nil {
			t.Error(err)
		}
	}
}

func TestProgramsAreBuilt(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the program is one for Linux")
	}
	err := exec.Command(Program("attack")).Run()
	if failed, ok := errors.AsType[*exec.ExitError](err); !ok || failed.ExitCode() != 2 {
		t.Errorf("without arguments: %v", err)
	}
}

func TestEnvironmentLeadsToNothingOfTheUser(t *testing.T) {
	given := []string{"PATH=/bin", "HOME=/home/me", "XDG_RUNTIME_DIR=/run/user/1", "SSH_AUTH_SOCK=/x", "GOCACHE=/y", "KEY=1"}
	got := testEnvironment(given, "/f", true)
	for _, gone := range []string{"XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "GOCACHE"} {
		if slices.ContainsFunc(got, func(variable string) bool { return strings.HasPrefix(variable, gone+"=") }) {
			t.Errorf("%s is kept", gone)
		}
	}
	for _, want := range []string{"PATH=/bin", "KEY=1", "HOME=" + filepath.Join("/f", "home"), "USER=nobody"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
}

func TestArgumentsAreThoseOfGoTest(t *testing.T) {
	got := withoutTestLog([]string{"-test.v", "-test.testlogfile=/x/y", "-test.run=A", "word"})
	if diff := cmp.Diff([]string{"-test.v", "-test.run=A", "word"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestExitCodeAndEndAreThoseOfTheTests(t *testing.T) {
	for way, want := range map[string]int{"pass": 0, "fail": 1, "exit": 7, "leak": 1} {
		t.Run(way, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestProbe$")
			cmd.Env = append(slices.DeleteFunc(os.Environ(), func(variable string) bool {
				return strings.HasPrefix(variable, folderVariable+"=")
			}), probe+"="+way)
			output, _ := cmd.CombinedOutput() // the code says how it ended
			if code := cmd.ProcessState.ExitCode(); code != want {
				t.Fatalf("exit code %d, want %d: %s", code, want, output)
			}
			folder, _, _ := strings.Cut(string(output), "\n")
			if filepath.Dir(folder) != os.Getenv("TMPDIR") {
				t.Errorf("the folder is %q", folder)
			}
			if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the folder is left: %v", err)
			}
		})
	}
}

// TestProbe is what the test above runs in a program of its own.
func TestProbe(t *testing.T) {
	way := os.Getenv(probe)
	if way == "" {
		t.Skip("started by TestExitCodeAndEndAreThoseOfTheTests")
	}
	fmt.Println(os.Getenv(folderVariable))
	switch way {
	case "fail":
		t.Error("as it is meant")
	case "leak":
		go func() { select {} }()
	case "exit":
		os.Exit(7)
	}
}
