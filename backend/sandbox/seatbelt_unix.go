//go:build unix

package sandbox

// sandboxExec starts a program under Seatbelt. It is the only one by that name that is
// run, whatever lies on PATH.
const sandboxExec = "/usr/bin/sandbox-exec"

// begun is the script that says on descriptor 3 that it runs, and so under its profile,
// before it becomes the shell of the command. Where a profile is refused, nothing is
// said and nothing is run.
const begun = `{ echo begun >&3; } 2>/dev/null; exec 3>&-; exec /bin/sh -c "$0"`

// begunServer does the same for a program and its arguments.
const begunServer = `{ echo begun >&3; } 2>/dev/null; exec 3>&-; exec "$0" "$@"`

// seatbeltCommand are the program and the arguments that run a command line under a profile;
// without one they run it as it is.
func seatbeltCommand(profile, line string) []string {
	return underProfile(profile, []string{"/bin/sh", "-c", begun, line})
}

// seatbeltServer are those that run a program in the same way.
func seatbeltServer(profile, program string, arguments []string) []string {
	return underProfile(profile, append([]string{"/bin/sh", "-c", begunServer, program}, arguments...))
}

func underProfile(profile string, shell []string) []string {
	if profile == "" {
		return shell
	}
	return append([]string{sandboxExec, "-p", profile}, shell...)
}
