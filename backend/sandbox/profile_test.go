package sandbox

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the profiles anew")

// places are those whose profiles are in testdata.
var places = map[string]struct {
	place   Place
	network bool
	pins    []pin
}{
	"plain": {place: Place{
		Workspace: "/Users/me/project", Private: "/Users/me/Library/Application Support/fairlead/private/1", Home: "/Users/me",
		Read: []string{"/Users/me/.rustup", "/Users/me/go/pkg/mod"}, Hide: []string{"/Users/me/Library/Application Support/fairlead"},
	}},
	"server": {place: Place{
		Workspace: "/Users/me/project", Private: "/private/tmp/p", Hide: []string{"/Users/me/data", "/Users/me/project/.env"},
		ReadOnly: true, Install: []string{"/Users/me/data/servers/one"},
	}},
	"quotes": {network: true, place: Place{
		Workspace: `/Volumes/My "Disk"\1/` + strings.Repeat("long ", 45) + "name", Private: "/private/tmp/p",
	}},
	"repositories": {
		place: Place{Workspace: "/Users/me/project", Private: "/private/tmp/p"},
		pins: []pin{
			{path: "/Users/me/project/.git"},
			{path: "/Users/me/project/.git/modules/lib"},
			{path: "/Users/me/project/lib/.git", whole: true},
		},
	},
}

func TestSEC02_ProfilesAreAsTheyWere(t *testing.T) {
	for name, test := range places {
		t.Run(name, func(t *testing.T) {
			got, err := newProfile(test.place, test.network, test.pins)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", "profile-"+name+".sb")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("go test ./backend/sandbox -run Profiles -update, with FAIRLEAD_TEST_AS_ROOT=1 as root, writes it anew: %s", diff)
			}
		})
	}
}

// decide says what a profile says of an operation on a path: the last rule that
// matches. It understands the filters for paths, which is what these profiles are
// about; another filter matches nothing.
func decide(t *testing.T, profile, operation, path string) bool {
	t.Helper()
	allowed := false
	for _, rule := range strings.Split(strings.TrimPrefix(profile, "(version 1)\n(deny default)\n"), "\n(") {
		lines := strings.Split(strings.TrimSuffix(rule, ")"), "\n  ")
		head := strings.Fields(strings.TrimPrefix(lines[0], "("))
		for _, of := range head[1:] {
			group, all := strings.CutSuffix(of, "*")
			if of != operation && (!all || !strings.HasPrefix(operation, group)) {
				continue
			}
			if len(lines) == 1 {
				allowed = head[0] == "allow"
			}
			for _, filter := range lines[1:] {
				if strings.HasPrefix(filter, "(literal") || strings.HasPrefix(filter, "(subpath") || strings.HasPrefix(filter, "(regex") {
					if matches(t, filter, path) {
						allowed = head[0] == "allow"
					}
				}
			}
		}
	}
	return allowed
}

func TestSEC02_WhatAProfileAllows(t *testing.T) {
	texts := map[string]string{}
	for name, test := range places {
		text, err := newProfile(test.place, test.network, test.pins)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = text
	}
	const support = "/Users/me/Library/Application Support/fairlead"
	for _, test := range []struct {
		place, operation, path string
		want                   bool
	}{
		{"plain", "file-read-data", "/Users/me/project/main.go", true},
		{"plain", "file-write-create", "/Users/me/project/new", true},
		{"plain", "file-write-unlink", "/Users/me/project/main.go", true},
		{"plain", "file-write-unlink", "/Users/me/project", false},
		{"plain", "file-link", "/Users/me/project/main.go", true},
		{"plain", "process-exec", "/Users/me/project/run.sh", true},
		{"plain", "process-exec", "/usr/bin/make", true},
		{"plain", "process-exec", "/usr/bin/security", false},
		{"plain", "process-exec", "/usr/bin/osascript", false},
		{"plain", "process-exec", "/bin/launchctl", false},
		{"plain", "file-read-data", "/Users/me/.ssh/id_ed25519", false},
		{"server", "file-read-data", "/Users/me/project/main.go", true},
		{"server", "file-write-data", "/Users/me/project/main.go", false},
		{"server", "file-read-data", "/Users/me/project/.env", false},
		{"server", "process-exec", "/Users/me/data/servers/one/run", true},
		{"server", "file-write-create", "/Users/me/data/servers/one/new", false},
		{"server", "file-read-data", "/Users/me/data/servers/two/file", false},
		{"server", "file-write-create", "/private/tmp/p/home/new", true},
		{"plain", "file-read-metadata", "/Users/me/.ssh", false},
		{"plain", "file-read-metadata", "/Users/me", true},
		{"plain", "file-read-metadata", "/System/Volumes/Data/Users/me", true},
		{"plain", "file-read-data", "/Users/me", false},
		{"plain", "file-read-data", "/System/Volumes/Data/Users/me/.ssh/id_ed25519", false},
		{"plain", "file-read-data", "/System/Library/Frameworks/x", true},
		{"plain", "file-read-data", "/Users/me/.rustup/x", true},
		{"plain", "file-write-data", "/Users/me/.rustup/x", false},
		{"plain", "file-write-mode", "/Users/me/.rustup/x", false},
		{"plain", "file-link", "/Users/me/.rustup/x", false},
		{"plain", "file-clone", "/Users/me/.rustup/x", false},
		{"plain", "file-read-data", support + "/fairlead.db", false},
		{"plain", "file-read-data", support + "/private/2/home/x", false},
		{"plain", "file-write-create", support + "/private/1.lock", false},
		{"plain", "file-read-metadata", support + "/private", true},
		{"plain", "file-write-create", support + "/private/1/tmp/x", true},
		{"plain", "file-read-data", "/Library/Keychains/System.keychain", false},
		{"plain", "file-read-data", "/opt/homebrew/bin/node", true},
		{"plain", "file-read-data", "/opt/homebrew/var/postgres/base", false},
		{"plain", "file-write-data", "/dev/null", true},
		{"plain", "file-read-data", "/dev/ttys003", false},
		{"plain", "file-read-data", "/dev/disk0", false},
		{"plain", "file-write-create", "/private/tmp/x", false},
		{"plain", "network-outbound", "/private/var/run/mDNSResponder", false},
		{"plain", "network-outbound", "/private/tmp/agent", false},
		{"quotes", "network-outbound", "/private/var/run/mDNSResponder", true},
		{"quotes", "network-outbound", "/private/var/run/docker.sock", false},
		{"quotes", "file-write-create", places["quotes"].place.Workspace + "/x", true},
		{"quotes", "file-write-create", `/Volumes/My "Disk"\1/x`, false},
		{"repositories", "file-write-create", "/Users/me/project/.git/index", true},
		{"repositories", "file-write-create", "/Users/me/project/.git/hooks/pre-commit", false},
		{"repositories", "file-write-data", "/Users/me/project/.git/config", false},
		{"repositories", "file-write-data", "/Users/me/project/.Git/Config", false},
		{"repositories", "file-link", "/Users/me/project/.git/config", false},
		{"repositories", "file-read-data", "/Users/me/project/.git/config", true},
		{"repositories", "file-write-unlink", "/Users/me/project/.git", false},
		{"repositories", "file-write-unlink", "/Users/me/project/.GIT", false},
		{"repositories", "file-write-unlink", "/Users/me/project/.git/modules", false},
		{"repositories", "file-write-unlink", "/Users/me/project/.git/modules/lib", false},
		{"repositories", "file-write-data", "/Users/me/project/.git/modules/lib/config", false},
		{"repositories", "file-write-data", "/Users/me/project/.git/modules/lib/HEAD", true},
		{"repositories", "file-write-unlink", "/Users/me/project/lib", false},
		{"repositories", "file-write-data", "/Users/me/project/lib/.git", false},
		{"repositories", "file-write-data", "/Users/me/project/lib/x", true},
		{"repositories", "file-write-create", "/Users/me/project/new/.git/hooks/x", true},
		{"repositories", "file-write-unlink", "/private/tmp/p", false},
	} {
		if got := decide(t, texts[test.place], test.operation, test.path); got != test.want {
			t.Errorf("%s: %s of %s: %v", test.place, test.operation, test.path, got)
		}
	}
}

// A deny takes back an allow only where both name the same operations, or where it is
// the more special one. And a rule without a filter is about everything.
func TestSEC02_DeniesNameWhatIsAllowed(t *testing.T) {
	for name, test := range places {
		text, err := newProfile(test.place, test.network, test.pins)
		if err != nil {
			t.Fatal(err)
		}
		allowed := map[string]bool{moving: true}
		denied := map[string]string{}
		for _, rule := range strings.Split(strings.TrimSpace(text), "\n(") {
			head, _, filtered := strings.Cut(rule, "\n")
			words := strings.Fields(head)
			for _, operation := range words[1:] {
				switch {
				case words[0] == "allow":
					allowed[operation] = true
				case words[0] == "deny" && filtered:
					denied[operation] = head
				}
			}
			if words[0] == "allow" && !filtered && strings.HasPrefix(words[1], "file") {
				t.Errorf("%s: %s is allowed for everything", name, words[1])
			}
		}
		for operation, head := range denied {
			if !allowed[operation] {
				t.Errorf("%s: no rule allows %s by that name: %s", name, operation, head)
			}
		}
		if len(denied) == 0 {
			t.Errorf("%s: nothing is denied", name)
		}
	}
	var r rules
	if r.add("allow", reading); len(r) > 0 {
		t.Errorf("for no path at all: %q", r)
	}
}

func TestSEC02_ServicesThatHoldKeysStayClosed(t *testing.T) {
	for name, test := range places {
		text, err := newProfile(test.place, test.network, test.pins)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{
			"securityd", "SecurityServer", "launchservicesd", "appleevent", "pasteboard", "coreservices", "tccd", "cfprefsd",
			"procargs", "ssh", "lsopen",
		} {
			if strings.Contains(strings.ToLower(text), strings.ToLower(word)) {
				t.Errorf("%s: there is a rule for %s", name, word)
			}
		}
		if strings.Contains(text, "(deny network*)") == test.network || strings.Contains(text, "(remote ip") != test.network {
			t.Errorf("%s: the network is %v: %s", name, test.network, text)
		}
	}
}

func TestSEC02_PlacesThatNoProfileIsFor(t *testing.T) {
	const good = "/a"
	for name, place := range map[string]Place{
		"no workspace":    {Private: good},
		"no private":      {Workspace: good},
		"everything":      {Workspace: "/", Private: good},
		"a newline":       {Workspace: "/a\nb", Private: good},
		"read everything": {Workspace: good, Private: good, Read: []string{"/"}},
		"a relative home": {Workspace: good, Private: good, Home: "me"},
		"a NUL to hide":   {Workspace: good, Private: good, Hide: []string{"/a\x00"}},
	} {
		if text, err := newProfile(place, false, nil); err == nil {
			t.Errorf("%s: %s", name, text)
		}
	}
	if _, err := newProfile(Place{Workspace: good, Private: good}, false, []pin{{path: "/a/\n"}}); err == nil {
		t.Error("a repository with a newline was taken")
	}
}
