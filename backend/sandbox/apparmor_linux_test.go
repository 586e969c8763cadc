package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"
)

// The test runs the program where the system refuses namespaces, and where the kernel's
// settings are those of a folder of the test's own.
func TestSEC02_TheSettingThatRefusesNamespacesIsNamed(t *testing.T) {
	sandboxtest.NeedsFull(t)
	for _, program := range []string{"unshare", "setpriv"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	const name = "kernel.apparmor_restrict_unprivileged_userns"
	for value, want := range map[string]bool{"1": true, "0": false, "": false} {
		t.Run("value "+value, func(t *testing.T) {
			settings := t.TempDir()
			if value != "" {
				path := filepath.Join(settings, strings.TrimPrefix(name, "kernel."))
				if err := os.WriteFile(path, []byte(value+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			program := sandboxtest.Program("fairlead")
			cmd := exec.Command("unshare", "--user", "--map-current-user", "--keep-caps", "--mount", "sh", "-c",
				`mount --bind "$0" /proc/sys/kernel && echo 0 >/proc/sys/user/max_user_namespaces &&
				exec setpriv --inh-caps=-all --ambient-caps=-all "$1" doctor`, settings, program)
			output, _ := cmd.CombinedOutput() // other findings may be broken here
			said := string(output)
			if !strings.Contains(said, "confinement  limited. ") {
				t.Fatalf("the program did not run as meant: %s", said)
			}
			for _, text := range []string{
				name + " is 1", `profile fairlead "` + program + `{,-window}" flags=(unconfined) { userns, }`,
				"apparmor_parser -r /etc/apparmor.d/fairlead", "sysctl " + name + "=0",
			} {
				if strings.Contains(said, text) != want {
					t.Errorf("with the value %q, that it says %q is not %v: %s", value, text, want, said)
				}
			}
		})
	}
}
