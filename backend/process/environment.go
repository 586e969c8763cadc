package process

import (
	"os"
	"runtime"
	"strings"
)

// allowed are the variables a command may see: where programs, home and
// temporary files are, and the language. Everything else stays out, because
// keys and tokens live in variables that no list of names would be sure to know.
var allowed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR",
}

// allowedWindows are those that programs on Windows need beside them.
var allowedWindows = []string{
	"SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "OS",
	"TEMP", "TMP", "USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH",
	"APPDATA", "LOCALAPPDATA", "ProgramData", "ALLUSERSPROFILE", "PUBLIC",
	"ProgramFiles", "ProgramFiles(x86)", "ProgramW6432",
	"CommonProgramFiles", "CommonProgramFiles(x86)", "CommonProgramW6432",
	"NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
}

// Environment returns the environment of a command as KEY=value: what the list
// of allowed variables leaves of Fairlead's own, and TERM=dumb, which keeps
// programs from drawing.
func Environment() []string {
	return append(permittedVariables(os.Environ(), runtime.GOOS == "windows"), "TERM=dumb")
}

// permittedVariables returns the allowed ones of the variables.
func permittedVariables(variables []string, windows bool) []string {
	var kept []string
	for _, variable := range variables {
		name, _, _ := strings.Cut(variable, "=")
		if isPermitted(name, windows) {
			kept = append(kept, variable)
		}
	}
	return kept
}

// isPermitted reports whether a variable is allowed. Windows does not tell upper from
// lower case in their names.
func isPermitted(name string, windows bool) bool {
	if strings.HasPrefix(name, "LC_") {
		return true
	}
	for _, other := range allowed {
		if name == other || (windows && strings.EqualFold(name, other)) {
			return true
		}
	}
	if !windows {
		return false
	}
	for _, other := range allowedWindows {
		if strings.EqualFold(name, other) {
			return true
		}
	}
	return false
}
