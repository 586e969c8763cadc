// Package sandboxtest runs the tests of a package as an ordinary user in a home of
// their own, because what confines a command is to hold for the user who starts
// Fairlead: root may do nearly everything, and what root is refused proves little.
//
// A package that tests confined commands calls Main from its TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m)) }
//
// Main builds the programs that the tests want, and starts the test program once
// more: with a fresh home and temporary folder, with nothing of the user's
// session in its environment and, where it is started by root on Linux, as the
// user 65534. With FAIRLEAD_TEST_AS_ROOT=1 root stays root.
package sandboxtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"go.uber.org/goleak"
)

const (
	// folderVariable names the folder that the tests have to themselves. Where it is
	// set, Main has run before.
	folderVariable = "FAIRLEAD_TEST_FOLDER"
	// rootVariable keeps root from becoming an ordinary user.
	rootVariable = "FAIRLEAD_TEST_AS_ROOT"
	// programsVariable names a folder of programs that are built already, for where there is
	// no Go to build them with.
	programsVariable = "FAIRLEAD_TEST_PROGRAMS"
	// testProgram is what the copy of the test program is called.
	testProgram = "tests"
)

// Tests are the tests of a package. A *testing.M is one.
type Tests interface {
	// Run runs them and returns the exit code of the test program.
	Run() int
}

// Main runs the tests in a folder of their own, as an ordinary user, and returns
// the exit code: not 0 either where the tests leave a goroutine behind. Programs
// are import paths of main packages, which are built without cgo before that:
// Program says where they are.
//
// The tests start in the folder of their package, and the flags of go test are
// theirs. As another user they can write no profile into a folder of root.
func Main(tests Tests, programs ...string) int {
	if IsAgain() {
		return runAndCheckLeaks(tests)
	}
	code, err := Again(func(folder string) error { return buildPrograms(folder, programs) }, withoutTestLog(os.Args[1:])...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error: run the tests as an ordinary user:", err)
		return 1
	}
	return code
}

// runAndCheckLeaks runs the tests, which fail where they leave a goroutine behind.
func runAndCheckLeaks(tests Tests) int {
	code := tests.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	return code
}

// Program returns the path of a program that was built before, by its name: for Main the
// last word of its import path.
func Program(name string) string { return programPath(os.Getenv(folderVariable), name) }

// IsAgain reports whether this is what Again has started.
func IsAgain() bool { return os.Getenv(folderVariable) != "" }

// Again starts this program once more, as Main starts the tests, and returns its exit code.
// build puts further programs into the folder that it is given.
func Again(build func(folder string) error, arguments ...string) (code int, err error) {
	asNobody := os.Getuid() == 0 && runtime.GOOS == "linux" && os.Getenv(rootVariable) == ""
	folder, err := newFolder()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	if err := fillFolder(folder); err != nil {
		return 0, err
	}
	if err := build(filepath.Join(folder, programsFolder)); err != nil {
		return 0, err
	}
	cmd := exec.Command(programPath(folder, testProgram), arguments...) //nolint:gosec // this program again
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = testEnvironment(os.Environ(), folder, asNobody)
	if asNobody {
		if err := giveFolder(folder); err != nil {
			return 0, err
		}
		setUser(cmd)
	}
	return wait(cmd)
}

// wait runs the tests to their end and passes on what asks them to end before: go
// test asks with a signal when their time is over.
func wait(cmd *exec.Cmd) (int, error) {
	// The system ends the tests with the thread that started them (become), so that
	// they outlive this program in no case.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("start the tests: %w", err)
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case s := <-signals:
				_ = cmd.Process.Signal(s) // it may have ended
			case <-ended:
				return
			}
		}
	}()
	err := cmd.Wait()
	if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) {
		return 0, fmt.Errorf("wait for the tests: %w", err)
	}
	if code := cmd.ProcessState.ExitCode(); code >= 0 {
		return code, nil
	}
	return 0, fmt.Errorf("the tests ended by a signal: %s", cmd.ProcessState)
}

// withoutTestLog leaves out the log by which go test finds out whether a result can be
// kept for later: what these tests find is about the system that they ran on.
func withoutTestLog(given []string) []string {
	return slices.DeleteFunc(slices.Clone(given), func(argument string) bool {
		return strings.HasPrefix(strings.TrimLeft(argument, "-"), "test.testlogfile=")
	})
}
