package process

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

func TestTOOL03_AShellIsInItsJobFromTheStart(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	environment := []string{"SystemRoot=" + os.Getenv("SystemRoot"), "WORD=你好"}
	started, err := startPlain(Command{Line: `cd & if "%WORD%"=="你好" (echo %OTHER%) & echo trouble>&2 & exit 7`, Dir: dir, Env: environment}, write)
	if err != nil {
		t.Fatal(err)
	}
	shell := started.(*unconfined)
	var in int32
	isIn := windows.NewLazySystemDLL("kernel32.dll").NewProc("IsProcessInJob")
	if ok, _, err := isIn.Call(uintptr(shell.shell), uintptr(shell.job), uintptr(unsafe.Pointer(&in))); ok == 0 || in == 0 {
		t.Errorf("the shell is not in its job: %v", err)
	}
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
	output, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	shell.awaitShell()
	if code, signal, err := shell.reapShell(); code != 7 || signal != "" || err != nil {
		t.Errorf("it ended with %d, %q, %v", code, signal, err)
	}
	if got := strings.Fields(string(output)); len(got) != 3 || !strings.EqualFold(got[0], dir) || got[1] != "%OTHER%" || got[2] != "trouble" {
		t.Errorf("in %s it printed %q", dir, got)
	}
}
