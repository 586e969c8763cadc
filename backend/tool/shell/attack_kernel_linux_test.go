package shell_test

import (
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// kernelAttacks use what no ordinary command wants. Nothing of them is seen from
// outside, as a fault in the kernel is what an attacker would need besides: that the
// kernel serves the call is what counts.
func kernelAttacks() []attack {
	var all []attack
	for _, verb := range []string{
		"socket alg", "socket netlink", "socket packet", "socket ping", "socket raw", "socket vsock",
		"io-uring", "bpf", "perf", "userfaultfd", "personality", "module", "kexec", "x32", "int80", "rights",
	} {
		all = append(all, attack{
			name: verb, class: classKernel, missing: serves(strings.Fields(verb)...),
			line: `./attack ` + verb, escaped: worked,
		})
	}
	return all
}

// namespaceAttacks make or enter another view of the system, in which a program is
// root. Nothing of them is seen from outside, because the view is another.
func namespaceAttacks() []attack {
	all := []attack{
		{name: "unshare", line: `unshare --user true`, missing: usesNamespaces("unshare")},
		{name: "clone", line: `./attack userns clone`, missing: usesNamespaces()},
		{name: "clone3", line: `./attack userns clone3`, missing: usesNamespaces()},
		{name: "mount", line: `mkdir folder && ./attack mount folder`, missing: usesNamespaces()},
		{name: "remount", line: `./attack remount`, missing: usesNamespaces()},
		{name: "chroot", line: `mkdir folder && ./attack chroot folder`, missing: usesNamespaces()},
		{name: "pivot_root", line: `mkdir folder && ./attack pivot folder`, missing: usesNamespaces()},
		{
			name: "setns", missing: usesNamespaces("nsenter"),
			prepare: func(t *testing.T, l *lab) {
				startVictim(t, l, &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER})
			},
			line: `nsenter --user --preserve-credentials --target $pid true`,
		},
	}
	for i := range all {
		all[i].class, all[i].escaped = classKernel, worked
	}
	return all
}

// usesNamespaces returns the check that the programs are there, and that this
// system lets ordinary users make user namespaces.
func usesNamespaces(programs ...string) func() string {
	return func() string {
		if reason := needs(programs...)(); reason != "" {
			return reason
		}
		return serves("remount")()
	}
}
