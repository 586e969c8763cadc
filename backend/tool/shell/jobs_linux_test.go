package shell_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/message"
)

// job is what people have a model do with a command every day, and what has to go
// on working in a command that is confined.
type job struct {
	// name is a row's name in the table.
	name string
	// programs are what it needs to be installed.
	programs []string
	// network says that it is a command that was allowed the network.
	network bool
	// wish says that it is expected of no confinement: the test tells only whether it
	// works.
	wish bool
	// files are what lies in the workspace, by name.
	files map[string]string
	// prepare makes what else it needs; may be nil.
	prepare func(t *testing.T, l *lab)
	// lines are the commands, one after the other, in which the lab's paths and words
	// are shell variables.
	lines []string
	// want is what the last one prints, without white space around it.
	want string
}

// everyday runs every job in the commands of an opener. Level says what a result
// tells of its confinement, for the log.
func everyday(t *testing.T, open opener, level func(message.Result) string) {
	t.Helper()
	for _, row := range jobs() {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if reason := needs(row.programs...)(); reason != "" {
				t.Skip(reason)
			}
			row.do(t, open, level)
		})
	}
}

// do does the job in a lab of its own.
func (j job) do(t *testing.T, open opener, level func(message.Result) string) {
	t.Helper()
	l := newLab(t)
	l.network = j.network
	for _, name := range slices.Sorted(maps.Keys(j.files)) {
		l.write(t, filepath.Join(l.workspace, name), j.files[name])
	}
	if j.prepare != nil {
		j.prepare(t, l)
	}
	run := open(t, l)
	for i, line := range j.lines {
		l.result = run(t, l.full(line))
		got := strings.TrimSpace(strings.TrimPrefix(l.result.Content.Text(), "begun\n"))
		works := l.result.Success() && (i < len(j.lines)-1 || got == j.want)
		switch {
		case works:
			t.Logf("level %s: works", level(l.result))
		case j.wish:
			t.Logf("level %s: A WISH: does not work: %s", level(l.result), l.result.Text())
			return
		default:
			t.Fatalf("level %s: %q returned %q, want %q", level(l.result), line, l.result.Text(), j.want)
		}
	}
}

func TestTOOL03_EverydayJobs(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes 30 s")
	}
	everyday(t, confined(fully(t)), func(r message.Result) string { return string(r.Level) })
}

// jobs is the table, built anew for each use.
func jobs() []job {
	return slices.Concat(gitJobs(), compilerJobs(), nodeJobs(), pythonJobs(), shellJobs(), socketJobs())
}

// identity is who commits.
const identity = "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@localhost GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@localhost\n"

func gitJobs() []job {
	return []job{
		{
			name: "git from nothing", programs: []string{"git"},
			lines: []string{
				identity + `git init -q -b main && echo a >a && git add a && git commit -q -m a`,
				identity + `git checkout -q -b side && echo b >b && git add b && git commit -q -m b`,
				identity + `git checkout -q main && echo c >c && git add c && git commit -q -m c`,
				identity + `git checkout -q side && git rebase -q main && git log --format=%s`,
			},
			want: "b\nc\na",
		},
		{
			name: "git commit", programs: []string{"git"}, prepare: repository, files: map[string]string{"file": "a\n"},
			lines: []string{identity + `git add file && git commit -q -m second && git stash list && git log --format=%s && git status --short -uno`},
			want:  "second\nfirst",
		},
		{
			name: "git gc", programs: []string{"git"}, prepare: repository,
			lines: []string{`git gc -q && git fsck 2>&1 && git log --format=%s`}, want: "first",
		},
		{
			name: "git worktree and clone", programs: []string{"git"}, prepare: repository,
			lines: []string{`git worktree add -q side && git clone -q . copy && git -C side log --format=%s && git -C copy log --format=%s`},
			want:  "first\nfirst",
		},
		{
			name: "git submodule commit", programs: []string{"git"}, prepare: submodule,
			lines: []string{identity + `cd part && git commit -q --allow-empty -m inside && git log -1 --format=%s && cd .. && git commit -q -am outside && git log -1 --format=%s`},
			want:  "inside\noutside",
		},
	}
}

func compilerJobs() []job {
	module := map[string]string{
		"go.mod":       "module hello\n\ngo 1.21\n",
		"hello.go":     "package main\n\nfunc word() string { return \"hello\" }\n\nfunc main() { println(word()) }\n",
		"word_test.go": "package main\n\nimport \"testing\"\n\nfunc TestWord(t *testing.T) {\n\tif word() != \"hello\" {\n\t\tt.Error(word())\n\t}\n}\n",
	}
	const offline = "export GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local\n"
	return []job{
		{
			// The cache is empty, so this compiles the standard library too.
			name: "go", programs: []string{"go"}, files: module,
			lines: []string{offline + `go build -o hello . && ./hello`, offline + `go test -count=1 . >log && go vet . && cut -f 1,2 log`},
			want:  "ok  \thello",
		},
		{
			// The race detector reserves terabytes of addresses. The package testing would
			// have three times as much compiled for it.
			name: "go with the race detector", programs: []string{"go", "gcc"}, files: module,
			lines: []string{offline + `CGO_ENABLED=1 go run -race . 2>&1`}, want: "hello",
		},
		{
			name: "gcc with the address sanitizer", programs: []string{"gcc"},
			files: map[string]string{"hello.c": "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n"},
			lines: []string{`gcc -fsanitize=address -o hello hello.c && ASAN_OPTIONS=detect_leaks=0 ./hello`}, want: "hello",
		},
		{
			name: "gcc", programs: []string{"gcc"},
			files: map[string]string{"hello.c": "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n"},
			lines: []string{`gcc -O1 -o hello hello.c && ./hello`}, want: "hello",
		},
		{
			name: "make", programs: []string{"make"},
			files: map[string]string{"Makefile": "all: a b c d\n\tcat $^\na b c d:\n\t@echo $@ >$@\n"},
			lines: []string{`make -s -j4 all`}, want: "a\nb\nc\nd",
		},
	}
}

func nodeJobs() []job {
	const npm = `npm --cache="${TMPDIR:-/tmp}/npm" --no-audit --no-fund --no-update-notifier `
	return []job{
		{
			name: "node fork", programs: []string{"node"},
			files: map[string]string{
				"main.cjs":  "const c = require('child_process').fork('./child.cjs');\nc.on('message', m => { console.log(m); c.disconnect(); });\nc.send(20);\n",
				"child.cjs": "process.on('message', n => process.send(n + 1));\n",
			},
			lines: []string{`node main.cjs`}, want: "21",
		},
		{
			name: "node spawn", programs: []string{"node"},
			lines: []string{`node -e "require('child_process').exec('echo hello', (e, out) => console.log(out.trim()))"`}, want: "hello",
		},
		{
			name: "node worker", programs: []string{"node"},
			files: map[string]string{"main.cjs": "const w = require('worker_threads');\nif (w.isMainThread) new w.Worker(__filename).on('message', m => console.log(m));\nelse w.parentPort.postMessage('hello');\n"},
			lines: []string{`node main.cjs`}, want: "hello",
		},
		{
			// It wants a socket with a path, which no command gets. The bounds on memory leave
			// it alone (TestSEC11_TheBoundsLeaveHeadlessChromiumAlone).
			name: "headless Chromium", programs: []string{"chromium"}, wish: true,
			files: map[string]string{"page.html": "<p id=p></p><script>p.textContent = 6 * 7</script>"},
			lines: []string{`chromium --headless --no-sandbox --disable-gpu --dump-dom "file://$workspace/page.html" 2>log | sed -n 's/.*<p id="p">\([0-9]*\).*/\1/p'; cat log >&2`}, want: "42",
		},
		{
			name: "npm run", programs: []string{"node", "npm"},
			files: map[string]string{"package.json": `{"name": "top", "version": "1.0.0", "scripts": {"hello": "node -p '6*7'"}}`},
			lines: []string{npm + `run --silent hello`}, want: "42",
		},
		{
			name: "npm install", programs: []string{"node", "npm"}, network: true, prepare: registry,
			files: map[string]string{"package.json": `{"name": "top", "version": "1.0.0"}`},
			lines: []string{npm + `--registry="$registry" install --silent leaf && node -p "require('leaf')"`}, want: "green",
		},
	}
}

func pythonJobs() []job {
	python := []string{"python3"}
	return []job{
		{
			name: "python subprocess", programs: python,
			lines: []string{`python3 -c "import subprocess; print(subprocess.check_output('echo hello', shell=True, text=True))"`}, want: "hello",
		},
		{
			name: "python asyncio", programs: python,
			files: map[string]string{"main.py": "import asyncio\nasync def main():\n    p = await asyncio.create_subprocess_exec('echo', 'hello', stdout=asyncio.subprocess.PIPE)\n    out, _ = await p.communicate()\n    print(out.decode().strip(), p.returncode)\nasyncio.run(main())\n"},
			lines: []string{`python3 main.py`}, want: "hello 0",
		},
		{
			name: "python multiprocessing", programs: python,
			files: map[string]string{"main.py": "from multiprocessing import Pool\ndef twice(n):\n    return 2 * n\nif __name__ == '__main__':\n    with Pool(2) as pool:\n        print(pool.map(twice, range(4)))\n"},
			lines: []string{`python3 main.py`}, want: "[0, 2, 4, 6]",
		},
		{
			name: "python sqlite", programs: python,
			lines: []string{`python3 -c "
import sqlite3
d = sqlite3.connect('data.db')
d.execute('pragma journal_mode=wal')
d.execute('create table t (n)')
d.execute('insert into t values (42)')
d.commit()
print(d.execute('select n from t').fetchone()[0])"`}, want: "42",
		},
		{
			name: "python truncate", programs: python,
			lines: []string{`echo hello >file && python3 -c "import os; os.truncate('file', 2)" && cat file`}, want: "he",
		},
	}
}

// registry serves the npm package leaf on an address that the command is told.
func registry(t *testing.T, l *lab) {
	t.Helper()
	l.variables["registry"] = serveRegistry(t)
}

// user tells the command whose it is.
func user(_ *testing.T, l *lab) { l.variables["uid"] = fmt.Sprint(os.Getuid()) }
