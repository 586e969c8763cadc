package shell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/message"
)

// settingsOfTools are files in a home by which programs are made to run others, or to
// talk to other servers.
const settingsOfTools = "$HOME/.npmrc $HOME/.bashrc $HOME/.profile $HOME/.gitconfig $HOME/.config/pip/pip.conf $HOME/.config/go/env " +
	"$HOME/.cargo/config.toml $HOME/.m2/settings.xml $HOME/.gradle/init.gradle $HOME/.local/lib/python3/site-packages/x.pth"

func TestSEC02_SettingsPlantedWithoutTheNetworkAreNotThereWithIt(t *testing.T) {
	l := newLab(t)
	run := confined(fully(t))(t, l)
	do := func(network bool, line string) string {
		t.Helper()
		l.network = network
		result := run(t, line)
		if result.Error != nil && result.Error.Code != message.CommandFailed {
			t.Fatal(result.Text())
		}
		return strings.TrimSpace(result.Content.Text())
	}
	plant := `for f in ` + settingsOfTools + `; do mkdir -p "${f%/*}" && echo planted >"$f"; done`
	if got := do(false, plant); got != "" {
		t.Fatal(got)
	}
	const look = `cat ` + settingsOfTools + ` 2>/dev/null | sort -u`
	if got := do(true, look); got != "" {
		t.Errorf("a command with the network found %q", got)
	}
	if got := do(false, look); got != "planted" {
		t.Errorf("the next command without the network found %q", got)
	}
	// One that runs at the same time cannot reach the other's home by its own name either.
	if got := do(true, `echo x >$HOME/mine; ls -A "${XDG_CACHE_HOME%/*}"`); got != "cache" {
		t.Errorf("beside the caches there is %q", got)
	}
	if got := do(true, `ls $HOME/mine 2>&1 | wc -l; find $HOME -name mine`); got != "1" {
		t.Errorf("what another command with the network left is there: %q", got)
	}
}

func TestSEC02_WhatIsDownloadedWithTheNetworkIsThereWithout(t *testing.T) {
	l := newLab(t)
	run := confined(fully(t))(t, l)
	const caches = "$HOME/.cache $HOME/.cargo/registry $HOME/.m2/repository $HOME/.gradle/caches $HOME/.nuget/packages $HOME/go/pkg/mod $XDG_CACHE_HOME"
	for i, network := range []bool{true, false, true} {
		l.network = network
		result := run(t, `for d in `+caches+`; do [ -e "$d/kept" ] && echo kept; mkdir -p "$d" && echo x >"$d/kept"; done; true`)
		want := 0
		if i > 0 {
			want = len(strings.Fields(caches))
		}
		// Two of the names are of the same folder.
		if got := strings.Count(result.Content.Text(), "kept"); !result.Success() || got < want || i == 0 && got > 1 {
			t.Errorf("command %d found %d of %d: %s", i, got, want, result.Text())
		}
	}
}

func TestTOOL03_PackagesAreInstalledWithTheNetworkAndUsedWithout(t *testing.T) {
	if reason := needs("node", "npm")(); reason != "" {
		t.Skip(reason)
	}
	l := newLab(t)
	l.write(t, filepath.Join(l.workspace, "package.json"), `{"name": "top", "version": "1.0.0"}`)
	registry(t, l)
	run := confined(fully(t))(t, l)
	const npm = `npm --no-audit --no-fund --no-update-notifier --silent --registry="$registry" `
	l.network = true
	if result := run(t, l.full(npm+`install leaf && rm -r node_modules`)); !result.Success() {
		t.Fatal(result.Text())
	}
	l.network = false
	result := run(t, l.full(npm+`ci --offline && node -p "require('leaf')"`))
	if !result.Success() || !strings.HasSuffix(strings.TrimSpace(result.Content.Text()), "green") {
		t.Error(result.Text())
	}
}

// A link that a command leaves in its home leads the next one's view of the files
// nowhere else.
func TestSEC02_LinksInTheHomeMoveNoMount(t *testing.T) {
	l := newLab(t)
	tool := filepath.Join(l.home, ".cargo", "bin", "tool")
	l.write(t, tool, "a tool\n")
	must(t, os.Chmod(tool, 0o755))
	target := filepath.Join(l.outside, "empty")
	run := confined(fully(t))(t, l)
	// The folder around a mount can be moved away. The next command's guard makes it anew at
	// the same time, so this tries until the link is there.
	l.result = run(t, l.full(`i=0
while [ $i -lt 100 ]; do
	i=$((i+1))
	mv $HOME/.cargo $HOME/.old$i
	ln -sT `+target+` $HOME/.cargo && echo linked && break
done`))
	if !strings.Contains(l.result.Content.Text(), "linked") {
		t.Fatalf("the link was not made: %s", l.result.Text())
	}
	for range 2 { // one guard was there before
		if l.result = run(t, `cat $HOME/.cargo/bin/tool`); strings.TrimSpace(l.result.Content.Text()) != "a tool" {
			t.Logf("the tool is not seen: %s", l.result.Text())
		}
	}
	if touched(t, l) {
		t.Error("a folder was made outside")
	}
	if strings.TrimSpace(l.result.Content.Text()) != "a tool" {
		t.Errorf("the tool is not there any more: %s", l.result.Text())
	}
}

func TestSEC02_AWorkspaceInSharedMemory(t *testing.T) {
	system := fully(t)
	folder, err := os.MkdirTemp("/dev/shm", "workspace-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { must(t, os.RemoveAll(folder)) })
	l := newLab(t)
	l.workspace = folder
	run := confined(system)(t, l)
	for range 2 {
		if result := run(t, `cat kept 2>/dev/null; echo kept >kept && touch /dev/shm/x`); !result.Success() {
			t.Fatal(result.Text())
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "kept"))
	if err != nil || string(text) != "kept\n" {
		t.Errorf("%q, %v", text, err)
	}
	if exists("/dev/shm/x") {
		t.Error("the folder around it is shared")
	}
}
