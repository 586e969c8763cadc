package shell_test

import (
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
	"fairlead/backend/tool/shell"
)

// bothLevels calls a test on the system with all it has, and without namespaces.
func bothLevels(t *testing.T, test func(t *testing.T, system *sandbox.System)) {
	t.Helper()
	for name, without := range map[string]sandbox.Without{"full": {}, "limited": {Namespaces: true}} {
		t.Run(name, func(t *testing.T) {
			fully(t)
			system := inspect(t, without)
			if string(system.Level) != name {
				t.Fatalf("level %s: %s", system.Level, system.Why)
			}
			test(t, system)
		})
	}
}

// bounded opens the tool for commands that may use so much memory.
func bounded(t *testing.T, system *sandbox.System, memory uint64) runner {
	t.Helper()
	l := newLab(t)
	folder := l.folder(t)
	space, err := system.Open(sandbox.Place{Workspace: folder.Path(), Private: t.TempDir() + "/private", Home: l.home, Memory: memory})
	must(t, err)
	t.Cleanup(func() { must(t, space.Close()) })
	return l.tool(t, process.JobsOptions{Space: opened(space)}, shell.Options{Folder: folder, Level: always(system.Level)})
}

// python is a command line that runs a program in Python.
func python(lines ...string) string { return "exec python3 -c '" + strings.Join(lines, "\n") + "'" }

func TestSEC11_ACommandIsEndedAtItsMemory(t *testing.T) {
	if reason := needs("python3")(); reason != "" {
		t.Skip(reason)
	}
	const hold = "import time, os, mmap; "
	tests := map[string]string{
		"one process": python(hold+"kept = []", "while True: kept.append(bytearray(b\"x\") * (8 << 20))"),
		"several processes": python(hold+"pids = []", "for i in range(8):", "  if os.fork() == 0:",
			"    kept = bytearray(b\"x\") * (48 << 20); time.sleep(600)", "time.sleep(600)"),
		"processes that left it": python(hold, "for i in range(8):", "  if os.fork() == 0:", "    os.setsid()",
			"    if os.fork(): os._exit(0)", "    kept = bytearray(b\"x\") * (48 << 20); time.sleep(600)", "time.sleep(600)"),
		"files without a name": python(hold+"kept = []", "while True:", "  f = os.memfd_create(\"x\"); kept.append(f)",
			"  os.write(f, b\"x\" * (8 << 20))"),
	}
	bothLevels(t, func(t *testing.T, system *sandbox.System) {
		for name, line := range tests {
			t.Run(name, func(t *testing.T) {
				const most = 256 << 20
				result := bounded(t, system, most)(t, line)
				if result.Error == nil || result.Error.Code != message.CommandFailed {
					t.Fatalf("the command was not ended: %s", result.Text())
				}
				for _, want := range []string{"a command may use 256 MiB", "command_memory"} {
					if !strings.Contains(result.Error.Message, want) {
						t.Errorf("%q does not say %q", result.Error.Message, want)
					}
				}
				t.Log(result.Error.Message)
			})
		}
	})
}

// What is reserved, shared with a parent, or can be had again from a file is not used.
func TestSEC11_MemoryThatIsNotUsedDoesNotCount(t *testing.T) {
	if reason := needs("python3")(); reason != "" {
		t.Skip(reason)
	}
	tests := map[string]string{
		"reserved": python("import mmap", "m = mmap.mmap(-1, 64 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)", "print(\"done\")"),
		"shared by a fork": python("import os, time", "kept = bytearray(b\"x\") * (100 << 20)", "pids = []", "for i in range(8):",
			"  pid = os.fork()", "  if pid == 0: time.sleep(0.5); os._exit(0)", "  pids.append(pid)",
			"for pid in pids: os.waitpid(pid, 0)", "print(\"done\")"),
		"a file": python("import mmap", "f = open(\"large\", \"w+b\")", "f.truncate(400 << 20)", "m = mmap.mmap(f.fileno(), 0)",
			"for at in range(0, len(m), 4096): m[at]", "f.seek(0)", "while f.read(1 << 20): pass", "print(\"done\")"),
	}
	bothLevels(t, func(t *testing.T, system *sandbox.System) {
		for name, line := range tests {
			t.Run(name, func(t *testing.T) {
				const most = 256 << 20
				if result := bounded(t, system, most)(t, line); !result.Success() || strings.TrimSpace(result.Content.Text()) != "done" {
					t.Error(result.Text())
				}
			})
		}
	})
}

// Chromium reserves a terabyte, and shares memory among many processes. It also wants a
// socket with a path, which no command gets at the levels that refuse those.
func TestSEC11_TheBoundsLeaveHeadlessChromiumAlone(t *testing.T) {
	if reason := needs("chromium")(); reason != "" {
		t.Skip(reason)
	}
	fully(t)
	result := bounded(t, inspect(t, sandbox.Without{Seccomp: true}), 2<<30)(t, `cat >page.html <<'END'
<p id=p></p><script>p.textContent = 6 * 7</script>
END
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" --dump-dom "file://$PWD/page.html"`)
	if !strings.Contains(result.Content.Text(), `<p id="p">42</p>`) {
		t.Error(result.Text())
	}
}

func TestSEC11_ACommandIsEndedFirstWhenMemoryRunsOut(t *testing.T) {
	bothLevels(t, func(t *testing.T, system *sandbox.System) {
		const line = `cat /proc/self/oom_score_adj; sh -c 'echo 0 >/proc/self/oom_score_adj; cat /proc/self/oom_score_adj' 2>/dev/null`
		if result := bounded(t, system, 0)(t, line); strings.TrimSpace(result.Content.Text()) != "1000\n1000" {
			t.Errorf("got %q", result.Content.Text())
		}
	})
}

func TestSEC11_SharedMemoryHasAnEighth(t *testing.T) {
	var system unix.Sysinfo_t
	must(t, unix.Sysinfo(&system))
	want := system.Totalram * uint64(system.Unit) / 8
	result := bounded(t, fully(t), 0)(t, `df -B1 --output=size /dev/shm | tail -n 1`)
	got, err := strconv.ParseUint(strings.TrimSpace(result.Content.Text()), 10, 64)
	const page = 4096
	if err != nil || got > want+page || got < want-want/100 {
		t.Errorf("got %d, %v, want %d", got, err, want)
	}
}

// At level full the system counts processes, at level limited the guard does.
func TestSEC11_ProcessesAreBounded(t *testing.T) {
	if reason := needs("python3")(); reason != "" {
		t.Skip(reason)
	}
	bothLevels(t, func(t *testing.T, system *sandbox.System) {
		result := bounded(t, system, 0)(t, python("import os, time", "for i in range(5000):",
			"  if os.fork() == 0: time.sleep(600)", "time.sleep(600)"))
		want := "a command may have 4096"
		if system.Level == message.LevelFull {
			want = "Resource temporarily unavailable"
		}
		if !strings.Contains(result.Text(), want) {
			t.Errorf("got %.300s, want %s", result.Text(), want)
		}
	})
}
