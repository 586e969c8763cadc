package cli_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/windows"
)

// atConsole runs a program with the console that this process is at for its streams.
func atConsole() {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		os.Exit(100)
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		os.Exit(101)
	}
	runInterrupted(in, out, out)
}

// besideConsole runs a program with the streams of this process, at the console that it is at.
func besideConsole() { runInterrupted(os.Stdin, os.Stdout, os.Stderr) }

// interruptVariable names the event upon which Ctrl+C is pressed.
const interruptVariable = "FAIRLEAD_TEST_INTERRUPT"

// runInterrupted runs a program, presses Ctrl+C when it is told to, and leaves with the exit code
// of the program. It cannot be typed: a console of Wine ends with the key.
func runInterrupted(in, out, trouble *os.File) {
	signal.Notify(make(chan os.Signal, 1), os.Interrupt) // the key is for the program
	name, err := windows.UTF16PtrFromString(os.Getenv(interruptVariable))
	if err != nil {
		os.Exit(102)
	}
	press, err := windows.OpenEvent(windows.SYNCHRONIZE, false, name)
	if err != nil {
		os.Exit(103)
	}
	go func() {
		for {
			if _, err := windows.WaitForSingleObject(press, windows.INFINITE); err != nil {
				os.Exit(104)
			}
			if err := windows.GenerateConsoleCtrlEvent(windows.CTRL_C_EVENT, 0); err != nil {
				os.Exit(105)
			}
		}
	}()
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, trouble
	_ = cmd.Run() // the exit code says how it ended
	os.Exit(cmd.ProcessState.ExitCode())
}

// console is a program at a console of its own.
type console struct {
	*program
	pseudo windows.Handle
	press  windows.Handle
	keys   *os.File
	screen *os.File
}

// consoles counts them.
var consoles atomic.Int32

// newConsole makes a console for a run.
func (p *place) newConsole(args ...string) *console {
	p.t.Helper()
	c := &console{program: &program{place: p, cmd: p.command(p.task(args...)...), events: make(chan envelope, 10000)}}
	in, keys, err := os.Pipe()
	p.must(err)
	screen, out, err := os.Pipe()
	p.must(err)
	c.keys, c.screen = keys, screen
	size := windows.Coord{X: 200, Y: 60}
	p.must(windows.CreatePseudoConsole(size, windows.Handle(in.Fd()), windows.Handle(out.Fd()), 0, &c.pseudo))
	p.must(in.Close())
	p.must(out.Close())
	event := fmt.Sprintf("fairlead-test-%d-%d", os.Getpid(), consoles.Add(1))
	name, err := windows.UTF16PtrFromString(event)
	p.must(err)
	c.press, err = windows.CreateEvent(nil, 0, 0, name)
	p.must(err)
	c.cmd.Env = append(c.cmd.Env, interruptVariable+"="+event)
	return c
}

// start starts the run at the console, by a program of the tests; package exec cannot.
func (c *console) start(helper string, streams ...*os.File) {
	c.t.Helper()
	path, err := exec.LookPath(helper)
	c.must(err)
	attributes, err := windows.NewProcThreadAttributeList(1)
	c.must(err)
	defer attributes.Delete()
	pseudo := *(*unsafe.Pointer)(unsafe.Pointer(&c.pseudo)) // the handle itself is what is wanted
	c.must(attributes.Update(windows.PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE, pseudo, unsafe.Sizeof(c.pseudo)))
	start := windows.StartupInfoEx{ProcThreadAttributeList: attributes.List()}
	start.Cb = uint32(unsafe.Sizeof(start))
	if len(streams) > 0 {
		start.Flags |= windows.STARTF_USESTDHANDLES
		for i, to := range []*windows.Handle{&start.StdInput, &start.StdOutput, &start.StdErr} {
			*to = windows.Handle(streams[i].Fd())
			c.must(windows.SetHandleInformation(*to, windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT))
		}
	}
	line, err := windows.UTF16PtrFromString(windows.ComposeCommandLine(append([]string{path, c.cmd.Path}, c.cmd.Args[1:]...)))
	c.must(err)
	dir, err := windows.UTF16PtrFromString(c.cmd.Dir)
	c.must(err)
	var environment []uint16
	for _, variable := range c.cmd.Env {
		text, err := windows.UTF16FromString(variable)
		c.must(err)
		environment = append(environment, text...)
	}
	environment = append(environment, 0)
	var info windows.ProcessInformation
	c.must(windows.CreateProcess(nil, line, nil, nil, len(streams) > 0,
		windows.EXTENDED_STARTUPINFO_PRESENT|windows.CREATE_UNICODE_ENVIRONMENT, &environment[0], dir, &start.StartupInfo, &info))
	c.cmd.Process, err = os.FindProcess(int(info.ProcessId))
	c.must(err)
	c.must(windows.CloseHandle(info.Process))
	c.must(windows.CloseHandle(info.Thread))
	for _, stream := range streams {
		c.must(stream.Close())
	}
}

// waitFor waits for the end of the run, and of what else is told.
func (c *console) waitFor(others *sync.WaitGroup) {
	ended := make(chan struct{})
	c.ended = ended
	go func() {
		defer close(ended)
		c.cmd.ProcessState, _ = c.cmd.Process.Wait() // exits has it that it failed
		others.Wait()
	}()
	c.t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		windows.ClosePseudoConsole(c.pseudo)
		_ = windows.CloseHandle(c.press)
		_ = c.keys.Close()
		_ = c.screen.Close()
	})
}

// interrupt presses Ctrl+C.
func (c *console) interrupt() {
	c.t.Helper()
	c.must(windows.SetEvent(c.press))
}

// startBesideConsole is start for a run at a console, which can be interrupted.
func (p *place) startBesideConsole(args ...string) *console {
	p.t.Helper()
	c := p.newConsole(append(args, "--output", "jsonl")...)
	in, stdin, err := os.Pipe()
	p.must(err)
	stdout, out, err := os.Pipe()
	p.must(err)
	stderr, trouble, err := os.Pipe()
	p.must(err)
	c.stdin = stdin
	c.start("beside-console", in, out, trouble)
	go c.readEvents(stdout)
	var others sync.WaitGroup
	others.Go(func() {
		_, _ = io.Copy(&c.stderr, stderr) // it ends with the run
		_ = stderr.Close()
	})
	go func() { _, _ = io.Copy(io.Discard, c.screen) }()
	c.waitFor(&others)
	return c
}
