package sandbox

import (
	"os"
	"strings"
)

// userNamespaceSetting is 1 where AppArmor lets only programs with a profile that says so
// make user namespaces, or use them for anything: as on Ubuntu since its version 23.10.
const userNamespaceSetting = "kernel.apparmor_restrict_unprivileged_userns"

// restrictsUserNamespaces reports whether that setting is on.
func restrictsUserNamespaces() bool {
	text, err := os.ReadFile("/proc/sys/" + strings.ReplaceAll(userNamespaceSetting, ".", "/"))
	return err == nil && strings.TrimSpace(string(text)) == "1"
}

// explainSetting says of a system that refused namespaces that this setting is why, and how to
// lift it for the program that confines commands.
func (s *System) explainSetting(refusal, program string) {
	if !restrictsUserNamespaces() {
		return
	}
	s.Why = "AppArmor lets no program without a profile make user namespaces (" + userNamespaceSetting + " is 1): " + refusal
	profile := `abi <abi/4.0>,\nprofile fairlead "` + escapeProfile.Replace(strings.TrimSuffix(program, "-window")) +
		`{,-window}" flags=(unconfined) { userns, }\n`
	s.Lift = "To allow it to this program: printf '" + profile + "' | sudo tee /etc/apparmor.d/fairlead && " +
		"sudo apparmor_parser -r /etc/apparmor.d/fairlead. To allow it to all programs: sudo sysctl " + userNamespaceSetting + "=0."
}

// escapeProfile writes a path as the profile language and printf(1) in single quotes take
// it: most of what would mean something is written for any one character.
var escapeProfile = strings.NewReplacer(`\`, "?", `"`, "?", "'", "?", "%", "?", "*", "?", "[", "?", "]", "?", "{", "?", "}", "?", "^", "?", "@", "?")
