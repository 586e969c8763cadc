//go:build unix

package sandbox

import (
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fairlead/backend/leftover"
	"fairlead/backend/message"
	"fairlead/backend/sandbox/supervisor"
)

// whyRoot is what is missing for another level than None where nothing else is.
const whyRoot = "Fairlead runs as root, whom the system keeps from little"

// attempt is a line of sh that does something which a confined command must not do,
// and ends well if it could.
type attempt struct {
	// name says what it does.
	name string
	// line finds what it is aimed at in variables (scene.environment).
	line string
	// sure says that an unconfined command can do it everywhere. Where that cannot do
	// it either, the line is at fault, and proves nothing.
	sure bool
}

// attempts are what a command is made to try. All but changeGit have to fail for level
// Limited.
var attempts = []attempt{
	{supervisor.TriedWrite, `echo x > "$OUTSIDE/written"`, true},
	{supervisor.TriedTruncate, `: > "$OUTSIDE/emptied"`, true},
	{supervisor.TriedRead, `cat "$OUTSIDE/secret"`, true},
	{supervisor.TriedModes, `chmod 700 "$OUTSIDE/secret"`, true},
	{supervisor.TriedTimes, `touch -t 200001010000 "$OUTSIDE/secret"`, true},
	{"move a file", `mv "$OUTSIDE/moved" "$WORKSPACE/moved"`, true},
	{"give a file a second name", `ln "$OUTSIDE/secret" "$WORKSPACE/linked"`, false},
	{"copy a file", `cp -c "$OUTSIDE/secret" "$WORKSPACE/copied"`, false},
	{supervisor.TriedSignal, `kill -0 "$PROCESS"`, true},
	{supervisor.TriedTCP, `nc -z 127.0.0.1 "$PORT" || bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$0"' "$PORT"`, true},
	{
		supervisor.TriedSocket, `nc -U "$OUTSIDE/socket" ||
			perl -MIO::Socket::UNIX -e 'exit !IO::Socket::UNIX->new(Peer => shift)' "$OUTSIDE/socket"`, false,
	},
	{"run the tool for key rings", `/usr/bin/security list-keychains`, false},
	{
		changeGit, `cd "$WORKSPACE" && {
			echo x >> .git/config || echo x >> .GIT/Config || echo x > .git/hooks/pre-commit || echo x > .git/commondir ||
			ln .git/config other || mv .git/config other || mv .git other || mv "$WORKSPACE" "$TMPDIR/other"; }`, true,
	},
}

// changeGit is the attempt that shows GapGit.
const changeGit = "change what git runs"

// workable is what a confined command has to be able to do.
const workable = `cd "$WORKSPACE" && echo x > inside && mv inside within && cat within && echo x > .git/index && echo x > "$TMPDIR/inside"`

// tryAll is the script that makes all attempts. It says which could be made, by number,
// and then whether what has to work does.
func tryAll() string {
	var script strings.Builder
	line := func(name, line string) {
		fmt.Fprintf(&script, "( %s ) </dev/null >/dev/null 2>&1 && echo %s\n", line, name)
	}
	line("works", workable)
	for i, a := range attempts {
		line(strconv.Itoa(i), a.line)
	}
	return script.String() + "exit 0\n"
}

// readAttempts reads what the script has said.
func readAttempts(said string) (worked map[string]bool, usable bool) {
	words := strings.Fields(said)
	worked = map[string]bool{}
	for i, a := range attempts {
		worked[a.name] = slices.Contains(words, strconv.Itoa(i))
	}
	return worked, slices.Contains(words, "works")
}

// unprovenAttempt names an attempt that should have worked without any confinement and did
// not; empty where there is none.
func unprovenAttempt(unconfined map[string]bool) string {
	for _, a := range attempts {
		if a.sure && !unconfined[a.name] {
			return a.name
		}
	}
	return ""
}

// limitedLevel draws the level from what a confined command could do. It is never Full,
// and why says what is missing for that.
func limitedLevel(worked map[string]bool, root bool) (level message.Level, gaps []Gap, why string) {
	var ways []string
	for _, a := range attempts {
		if worked[a.name] && a.name != changeGit {
			ways = append(ways, a.name)
		}
	}
	switch {
	case len(ways) > 0:
		return message.LevelNone, nil, "a command can still " + strings.Join(ways, ", ")
	case root:
		return message.LevelNone, nil, whyRoot
	}
	if worked[changeGit] {
		gaps = append(gaps, GapGit)
	}
	return message.LevelLimited, append(gaps, GapServers), "Fairlead does not promise more of the means that this system has"
}

// scene is where attempts are made: a workspace, and what is the user's beside it.
type scene struct {
	dir, workspace string
	// process is a program of the user's, which ends with its input, and that with
	// this program, however it ends.
	process *exec.Cmd
	input   io.Closer
	// tcp is where a server on 127.0.0.1 listens; servers are all there are.
	tcp     net.Addr
	servers []io.Closer
}

// inScene makes a scene for something that makes attempts, and takes it away again. It is
// on record for as long as it is there.
func inScene(record *leftover.Record, try func(s *scene) (worked map[string]bool, err error)) (worked map[string]bool, err error) {
	parent, name := realPath(sceneParent()), scenePrefix+rand.Text()[:sceneLetters]
	// What keeps it off the record, such as a full disk, says nothing of the confinement.
	entry, _ := record.Add(leftover.Thing{Kind: leftover.Scene, Root: leftover.Path(parent), Name: leftover.Path(name)})
	dir := filepath.Join(parent, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		entry.Gone()
		return nil, fmt.Errorf("make a folder to try in: %w", err)
	}
	defer func() {
		if os.RemoveAll(dir) == nil {
			entry.Gone()
		}
	}()
	if info, err := os.Lstat(dir); err == nil {
		_ = entry.Found(info) // without its number it is known by its name
	}
	s, err := newScene(dir)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return try(s)
}

// The name of a scene is scenePrefix and some letters that nobody could know before.
const (
	scenePrefix  = "fairlead-probe-"
	sceneLetters = 10
)

// sceneParent is the system's folder for temporary files, or /tmp where the path of a
// socket below that is longer than the 104 bytes that every system takes (unix(4) of
// macOS; unix(7) of Linux has 108).
func sceneParent() string {
	const most, below = 104, len("/"+scenePrefix+"/datagram") + sceneLetters + 1
	if dir := os.TempDir(); len(realPath(dir))+below <= most {
		return dir
	}
	return "/tmp"
}

// newScene makes one in an empty folder.
func newScene(dir string) (*scene, error) {
	s := &scene{dir: dir, workspace: filepath.Join(dir, "workspace")}
	if err := os.MkdirAll(filepath.Join(s.workspace, ".git", "hooks"), 0o700); err != nil {
		return nil, err
	}
	for _, name := range []string{"secret", "emptied", "moved", "workspace/.git/config"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte("secret"), 0o600); err != nil {
			return nil, err
		}
	}
	// It waits by what the shell has itself: a program looked for by its name could be one
	// of the folder's.
	s.process = exec.Command("/bin/sh", "-c", "read line")
	input, err := s.process.StdinPipe()
	if err == nil {
		err = s.process.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start a program to aim at: %w", err)
	}
	s.input = input
	for network, address := range map[string]string{"tcp4": "127.0.0.1:0", "unix": filepath.Join(dir, "socket")} {
		if err := s.startServer(network, address); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// startServer starts a server.
func (s *scene) startServer(network, address string) error {
	listener, err := net.Listen(network, address)
	if err != nil {
		return fmt.Errorf("open a socket to aim at: %w", err)
	}
	s.servers = append(s.servers, listener)
	if network == "tcp4" {
		s.tcp = listener.Addr()
	}
	go hangUp(listener)
	return nil
}

// serverPort is that of the server on 127.0.0.1.
func (s *scene) serverPort() int { return s.tcp.(*net.TCPAddr).Port }

// hangUp ends each connection at once, until the listener is closed.
func hangUp(listener net.Listener) {
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		connection.Close()
	}
}

// environmentVariables are the variables that the attempts find what they aim at in.
func (s *scene) environmentVariables() []string {
	return []string{
		"PATH=/usr/bin:/bin:/usr/sbin:/sbin", "OUTSIDE=" + s.dir, "WORKSPACE=" + s.workspace,
		"PROCESS=" + strconv.Itoa(s.process.Process.Pid), "PORT=" + strconv.Itoa(s.serverPort()),
	}
}

// close ends what was started for it.
func (s *scene) close() {
	s.input.Close()
	_ = s.process.Wait() // how it ended is of no interest
	for _, server := range s.servers {
		server.Close()
	}
}
