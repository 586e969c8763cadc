package shell_test

// shellJobs use the programs that every system has.
func shellJobs() []job {
	return []job{
		{
			name: "tar", programs: []string{"tar", "gzip", "xz"}, files: map[string]string{"folder/file": "hello\n"},
			lines: []string{`tar czf a.tgz folder && tar cf a.tar folder && xz a.tar && rm -r folder && tar xzf a.tgz && rm -r folder && xz -d a.tar.xz && tar xf a.tar && cat folder/file`},
			want:  "hello",
		},
		{
			// With so little memory it sorts in temporary files.
			name: "sort", lines: []string{`seq 300000 | sort -S 1M -rn | head -n 1`}, want: "300000",
		},
		{name: "sed -i", files: map[string]string{"file": "a\n"}, lines: []string{`sed -i s/a/b/ file && cat file`}, want: "b"},
		{
			name: "find and xargs", files: map[string]string{"a/1": "x\n", "b/2": "x\n", "c/3": "x\n"},
			lines: []string{`find . -path './?/?' -print0 | xargs -0 -P 3 -n 1 cat | sort -u`}, want: "x",
		},
		{
			name: "perl -pi", programs: []string{"perl"}, files: map[string]string{"file": "a\n"},
			lines: []string{`perl -pi -e s/a/b/ file && cat file`}, want: "b",
		},
		{
			name: "sqlite3", programs: []string{"sqlite3"},
			lines: []string{`sqlite3 data.db 'create table t (n); insert into t values (42)' && sqlite3 data.db 'select n from t'`}, want: "42",
		},
		{
			name: "process substitution", programs: []string{"bash", "diff"},
			lines: []string{`bash -c 'diff <(echo a; echo b) <(echo a; echo c) | tail -n 1'`}, want: "> c",
		},
		{name: "mktemp", lines: []string{`f=$(mktemp) && echo hello >"$f" && d=$(mktemp -d) && mv "$f" "$d/x" && mv "$d/x" x && rmdir "$d" && cat x`}, want: "hello"},
		{name: "ps", programs: []string{"ps"}, lines: []string{`sleep 60 & ps -o comm= -p $!; kill $!`}, want: "sleep"},
		{name: "here-document", lines: []string{"cat <<END\n$((6 * 7))\nEND"}, want: "42"},
		{name: "background", lines: []string{`(echo a >a) & (echo b >b) & wait; cat a b`}, want: "a\nb"},
		{name: "kill own process", lines: []string{`sleep 60 & kill -TERM $!; { wait $!; } 2>/dev/null; echo $?`}, want: "143"},
		{name: "named pipe", lines: []string{`mkfifo pipe && { echo hello >pipe & cat pipe; }`}, want: "hello"},
		{name: "links", files: map[string]string{"file": "a\n"}, lines: []string{`ln -s file soft && ln file hard && cat soft hard`}, want: "a\na"},
		{name: "own script", lines: []string{`printf '#!/bin/sh\necho hello\n' >run && chmod +x run && ./run`}, want: "hello"},
		{name: "attributes of files", files: map[string]string{"file": "a\n"}, lines: []string{`chmod 640 file && touch -d 2001-01-01 file && mv file other && stat -c '%a %y' other | cut -c 1-14`}, want: "640 2001-01-01"},
		{name: "devices", lines: []string{`echo x >/dev/null && head -c 16 /dev/urandom | wc -c && head -c 3 /dev/zero | wc -c && echo x | cat /dev/stdin >/dev/stderr`}, want: "16\n3\nx"},
		{name: "no input", lines: []string{`cat; echo end`}, want: "end"},
		{name: "user", prepare: user, lines: []string{`[ "$(id -u)" = $uid ] && [ -O . ] && echo mine`}, want: "mine"},
		{name: "wrappers", lines: []string{`timeout 60 nice -n 1 env A=b sh -c 'echo $A'`}, want: "b"},
		{name: "locks", programs: []string{"flock"}, lines: []string{`flock lock echo hello`}, want: "hello"},
		{name: "deep folders", lines: []string{`mkdir -p a/b/c/d && (cd a/b/c/d && pwd -P | sed "s|.*/workspace/||") && rm -r a && ls -d a 2>&1 | wc -l`}, want: "a/b/c/d\n1"},
		{name: "large file", lines: []string{`truncate -s 64M file && dd if=/dev/zero of=file bs=1M count=8 conv=notrunc 2>/dev/null && stat -c %s file`}, want: "67108864"},
		{name: "shared memory", lines: []string{`echo hello >/dev/shm/$mark && cat /dev/shm/$mark && rm /dev/shm/$mark`}, want: "hello"},
		{name: "temporary file", lines: []string{`echo hello >"${TMPDIR:-/tmp}/$mark" && cat "${TMPDIR:-/tmp}/$mark" && rm "${TMPDIR:-/tmp}/$mark"`}, want: "hello"},
		{name: "file in /tmp", lines: []string{`echo hello >/tmp/$mark && cat /tmp/$mark && rm /tmp/$mark`}, want: "hello"},
		{name: "list the top", wish: true, lines: []string{`ls / | grep -x usr`}, want: "usr"},
	}
}

// socketJobs use sockets between the processes of one command.
func socketJobs() []job {
	python := []string{"python3"}
	const server = `import sys, threading, urllib.request, subprocess
from http.server import HTTPServer, SimpleHTTPRequestHandler
class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *a): pass
s = HTTPServer(('127.0.0.1', 0), Quiet)
threading.Thread(target=s.serve_forever, daemon=True).start()
url = 'http://127.0.0.1:%d/file' % s.server_port
if sys.argv[1] == 'curl':
    print(subprocess.check_output(['curl', '-s', url], text=True).strip())
else:
    print(urllib.request.urlopen(url).read().decode().strip())
`
	const localServer = `import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1])
s.listen()
if os.fork() == 0:
    c = socket.socket(socket.AF_UNIX)
    c.connect(sys.argv[1])
    c.send(b'hello')
    os._exit(0)
print(s.accept()[0].recv(9).decode())
`
	return []job{
		{
			name: "socket pair", programs: python,
			lines: []string{`python3 -c "
import os, socket
a, b = socket.socketpair()
if os.fork() == 0:
    a.send(b'hello')
    os._exit(0)
print(b.recv(9).decode())"`}, want: "hello",
		},
		{
			name: "local socket in the workspace", programs: python, wish: true,
			files: map[string]string{"main.py": localServer}, lines: []string{`python3 main.py socket`}, want: "hello",
		},
		{
			name: "local socket in the temporary folder", programs: python, wish: true,
			files: map[string]string{"main.py": localServer}, lines: []string{`python3 main.py "${TMPDIR:-/tmp}/$mark"`}, want: "hello",
		},
		{
			name: "server and client in python", programs: python,
			files: map[string]string{"main.py": server, "file": "hello\n"}, lines: []string{`python3 main.py urllib`}, want: "hello",
		},
		{
			name: "server and curl", programs: []string{"python3", "curl"},
			files: map[string]string{"main.py": server, "file": "hello\n"}, lines: []string{`python3 main.py curl`}, want: "hello",
		},
		{
			name: "server and client in node", programs: []string{"node"},
			files: map[string]string{"main.cjs": `const http = require('http');
const s = http.createServer((q, r) => r.end('hello')).listen(0, '127.0.0.1', () =>
  http.get({ port: s.address().port, host: '127.0.0.1' }, r => r.on('data', d => { console.log(String(d)); s.close(); })));
`},
			lines: []string{`node main.cjs`}, want: "hello",
		},
		{
			name: "server by localhost", programs: []string{"node"},
			files: map[string]string{"main.cjs": `const http = require('http');
const s = http.createServer((q, r) => r.end('hello')).listen(0, 'localhost', () =>
  fetch('http://localhost:' + s.address().port).then(r => r.text()).then(t => { console.log(t); s.close(); s.closeAllConnections(); }));
`},
			lines: []string{`node main.cjs`}, want: "hello",
		},
	}
}
