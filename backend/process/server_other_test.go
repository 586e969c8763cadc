//go:build !linux

package process

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/sandbox"
)

// serverProgram makes TestServerProgram the program of a server.
const serverProgram = "FAIRLEAD_TEST_SERVER"

// TestServerProgram answers each line until its input ends.
func TestServerProgram(t *testing.T) {
	if os.Getenv(serverProgram) == "" {
		t.Skip("only as the server of another test")
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println("got", lines.Text())
		fmt.Fprintln(os.Stderr, "error", lines.Text())
	}
	os.Exit(3)
}

// startTestServer starts this program as a server.
func startTestServer(t *testing.T) (s *Server, private string) {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	private = filepath.Join(dir, "private")
	space, err := sandbox.Inspect(t.Context(), "", nil).OpenServer(sandbox.ServerPlace{Access: sandbox.AccessWrite, Place: sandbox.Place{
		Workspace: dir, Private: private, Install: []string{filepath.Dir(own)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	s, err = StartServer(space, ServerCommand{
		Program: own, Arguments: []string{"-test.run=^TestServerProgram$"},
		// With its folder it is a test program that was started again.
		Variables: []string{serverProgram + "=1", "FAIRLEAD_TEST_FOLDER=" + os.Getenv("FAIRLEAD_TEST_FOLDER")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, private
}

func TestEXT01_AServerIsTalkedToOverItsPipes(t *testing.T) {
	s, private := startTestServer(t)
	output, faults := bufio.NewScanner(s.Output), bufio.NewScanner(s.Errors)
	for _, word := range []string{"one", "two"} {
		fmt.Fprintln(s.Input, word)
		if !output.Scan() || output.Text() != "got "+word || !faults.Scan() || faults.Text() != "error "+word {
			t.Errorf("output %q, errors %q", output.Text(), faults.Text())
		}
	}
	s.Input.Close()
	<-s.Done()
	if exit := s.Exit(); exit.Code != 3 || exit.Err != nil {
		t.Errorf("%+v", exit)
	}
	if _, err := os.Stat(private); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the private folder is left: %v", err)
	}
}

func TestEXT01_CloseEndsAServer(t *testing.T) {
	s, _ := startTestServer(t)
	fmt.Fprintln(s.Input, "one")
	if _, err := io.ReadFull(s.Output, make([]byte, len("got one"))); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if exit := s.Exit(); exit != (ServerExit{Code: -1}) {
		t.Errorf("%+v", exit)
	}
}
