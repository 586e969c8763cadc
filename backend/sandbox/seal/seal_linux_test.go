package seal

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

const sealed = "be-sealed"

// TestMain makes this program one that seals itself, tries to get out, and says what it could do.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == sealed {
		tryAll()
		return
	}
	os.Exit(m.Run())
}

func tryAll() {
	open, err := os.Open("/dev/null")
	if err != nil {
		fmt.Println("prepare:", err)
	}
	// Threads that were there before are sealed too.
	runtime.LockOSThread()
	begun, ready, done := make(chan struct{}), make(chan struct{}), make(chan string)
	go func() {
		runtime.LockOSThread()
		close(begun)
		<-ready
		_, err := os.ReadFile("/etc/hostname")
		done <- fmt.Sprint("another thread: ", errors.Is(err, unix.EPERM))
	}()
	<-begun
	if err := Process(Bounds{Memory: 1 << 30, Processor: 10}); err != nil {
		fmt.Println("seal:", err)
		return
	}
	close(ready)
	fmt.Println(<-done)
	for name, attempt := range map[string]func() error{
		"read a file":     func() error { _, err := os.ReadFile("/etc/passwd"); return err },
		"write a file":    func() error { return os.WriteFile("/tmp/sealed", nil, 0o600) },
		"delete a file":   func() error { return os.Remove("/tmp/no such file") },
		"list a folder":   func() error { _, err := os.ReadDir("/"); return err },
		"look at a file":  func() error { _, err := os.Stat("/"); return err },
		"change a folder": func() error { return os.Chdir("/") },
		"run a program":   func() error { return exec.Command("/bin/true").Run() },
		"connect":         func() error { _, err := net.Dial("tcp", "127.0.0.1:1"); return err },
		"listen":          func() error { _, err := net.Listen("unix", "/tmp/sealed.socket"); return err },
		"signal":          func() error { return unix.Kill(os.Getppid(), 0) },
		"signal a thread": func() error { return unix.Tgkill(os.Getppid(), os.Getppid(), 0) },
		"trace":           func() error { return unix.PtraceAttach(os.Getppid()) },
		"raise a limit":   func() error { return unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: 100, Max: 100}) },
		"run new code": func() error {
			_, err := unix.Mmap(-1, 0, 4096, unix.PROT_EXEC, unix.MAP_ANON|unix.MAP_PRIVATE)
			return err
		},
		"change an open file": func() error { return open.Chmod(0o777) },
	} {
		if err := attempt(); !errors.Is(err, unix.EPERM) {
			fmt.Printf("it can %s: %v\n", name, err)
		}
	}
	// What it is there for works.
	all := make([][]byte, 0, 100)
	for i := range 100 {
		all = append(all, make([]byte, 1<<20))
		all[i][i] = 1
	}
	fmt.Println("done", len(all))
}

func TestDOC01_ASealedProcessHasNothingButWhatIsOpen(t *testing.T) {
	output, err := exec.Command("/proc/self/exe", sealed).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if got := strings.TrimSpace(string(output)); got != "another thread: true\ndone 100" {
		t.Error(got)
	}
}
