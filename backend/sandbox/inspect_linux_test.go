package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/sandbox/supervisor"

	"github.com/google/go-cmp/cmp"
)

func TestSEC02_LevelIsFoundByTrying(t *testing.T) {
	sandboxtest.NeedsFull(t)
	sandboxtest.NeedsLimited(t)
	for _, test := range []struct {
		name    string
		without Without
		level   message.Level
		gaps    []Gap
		why     string
	}{
		{"everything", Without{}, message.LevelFull, nil, ""},
		{"no Landlock", Without{Landlock: true}, message.LevelFull, nil, ""},
		{"no seccomp", Without{Seccomp: true}, message.LevelNone, nil, supervisor.TriedKeys},
		{"no namespaces", Without{Namespaces: true}, message.LevelLimited, []Gap{GapGit, GapModes, GapServers}, ""},
		{"no namespaces, no Landlock", Without{Namespaces: true, Landlock: true}, message.LevelNone, nil, supervisor.TriedRead},
		{"nothing", Without{Namespaces: true, Landlock: true, Seccomp: true}, message.LevelNone, nil, supervisor.TriedTCP},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := InspectWithout(t.Context(), helper(), test.without)
			if found.Level != test.level || !strings.Contains(found.Why, test.why) {
				t.Errorf("level %s, because %q", found.Level, found.Why)
			}
			if test.level != message.LevelNone {
				if diff := cmp.Diff(test.gaps, found.Gaps); diff != "" {
					t.Errorf("gaps: %s", diff)
				}
			}
			if text := found.Sentence(false); strings.Contains(text, "all your rights") != (test.level == message.LevelNone) {
				t.Errorf("said: %s", text)
			}
		})
	}
}

// No socket can lie in a temporary folder whose path is as long.
func TestSEC02_ALongPathToTheTemporaryFolderTakesNothingAway(t *testing.T) {
	sandboxtest.NeedsFull(t)
	long := filepath.Join(t.TempDir(), strings.Repeat("long", 25))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	if found := Inspect(t.Context(), helper(), nil); found.Level != message.LevelFull {
		t.Errorf("level %s, because %q", found.Level, found.Why)
	}
}

func TestSEC02_AHelperThatIsNoneLeavesLevelNone(t *testing.T) {
	for helper, why := range map[string]string{
		"/bin/true":         "ended without a word",
		"/nonexistent/file": "no such file",
	} {
		found := Inspect(t.Context(), helper, nil)
		if found.Level != message.LevelNone || !strings.Contains(found.Why, why) {
			t.Errorf("%s: level %s, because %q", helper, found.Level, found.Why)
		}
	}
}

// What worked decides, attempt by attempt: no way out is overlooked.
func TestSEC02_EveryAttemptCounts(t *testing.T) {
	for _, attempt := range supervisor.Attempts() {
		s := &System{own: own{locks: supervisor.Locks{Namespaces: true}}}
		s.judgeAttempts(map[string]bool{attempt: true})
		want := message.LevelNone
		if _, ok := mild[attempt]; ok {
			want = message.LevelLimited
		}
		if s.Level != want {
			t.Errorf("a command can %s: level %s, want %s", attempt, s.Level, want)
		}
	}
}
