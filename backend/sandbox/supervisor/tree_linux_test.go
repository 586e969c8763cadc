package supervisor

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestCAN01_DescendantsAreFoundInBothWays(t *testing.T) {
	if !hasChildrenLists() {
		t.Skip("the kernel lists no children")
	}
	shell := startFamily(t)
	for name, children := range map[string]func(int) []int{
		"lists": readChildren,
		"all":   func(pid int) []int { return sortByParent()[pid] },
	} {
		family := listFrom(shell, children)
		if len(family) != 4 || family[0] != shell {
			t.Errorf("%s: found %v below %d, want it and three more", name, family, shell)
		}
		if own := listFrom(os.Getpid(), children); !containsAll(own, family) {
			t.Errorf("%s: found %v below the test, want also %v", name, own, family)
		}
	}
}

// startFamily starts a shell with a child and two grandchildren, and returns its number.
func startFamily(t *testing.T) int {
	t.Helper()
	shell := exec.Command("sh", "-c", "(sleep 1000 & sleep 1000 & echo ready; wait) & wait")
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	output, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = unix.Kill(-shell.Process.Pid, unix.SIGKILL)
		_ = shell.Wait()
	})
	if _, err := bufio.NewReader(output).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return shell.Process.Pid
}

func containsAll(all, some []int) bool {
	return !slices.ContainsFunc(some, func(pid int) bool { return !slices.Contains(all, pid) })
}
