package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/warden"
)

// own is what Linux adds to a System.
type own struct {
	helper string
	locks  warden.Locks
	// works says that the locks can be set at all.
	works bool
}

// mild are the attempts that may work at level Limited, by the gap they show.
var mild = map[string]Gap{
	warden.TriedModes: GapModes, warden.TriedTimes: GapModes, warden.TriedSignal: GapSignals,
}

// Inspect finds out how far commands can be confined, by trying: at first with every
// lock that the system has, and where that does not work, without namespaces. helper
// is the program that starts them, this one or the one beside it.
func Inspect(ctx context.Context, helper string) *System {
	return InspectWithout(ctx, helper, Without{})
}

// InspectWithout does the same on a system that lacks something, for tests of what
// the levels are worth.
func InspectWithout(ctx context.Context, helper string, without Without) *System {
	locks := warden.Locks{Namespaces: !without.Namespaces, Seccomp: !without.Seccomp}
	if !without.Landlock {
		locks.Landlock = warden.LandlockVersion()
	}
	found := inspect(ctx, helper, locks)
	if found.own.works || !locks.Namespaces {
		return found
	}
	locks.Namespaces = false
	limited := inspect(ctx, helper, locks)
	if limited.Level == message.LevelLimited {
		limited.Why = found.Why
	}
	return limited
}

// whyRoot is what is missing where nothing else is.
const whyRoot = "Fairlead runs as root, whom the system keeps from little"

// inspect finds out what a set of locks is worth.
func inspect(ctx context.Context, helper string, locks warden.Locks) *System {
	s := &System{Level: message.LevelNone, own: own{helper: helper, locks: locks}}
	tried, err := try(ctx, s)
	if err != nil {
		s.Why = err.Error()
		// What does not work is not used: a command then runs with what is left.
		s.own.locks = warden.Locks{}
		return s
	}
	s.own.works = true
	s.judge(tried)
	return s
}

// judge draws the level from what worked.
func (s *System) judge(tried map[string]bool) {
	s.Level = message.LevelNone
	var worked []string
	for attempt, did := range tried {
		if gap, ok := mild[attempt]; did && ok {
			s.Gaps = append(s.Gaps, gap)
		} else if did {
			worked = append(worked, attempt)
		}
	}
	if !s.own.locks.Namespaces {
		s.Gaps = append(s.Gaps, GapGit, GapServers)
	}
	slices.Sort(s.Gaps)
	s.Gaps = slices.Compact(s.Gaps)
	slices.Sort(worked)
	switch {
	case len(worked) > 0:
		s.Why = "a command can still " + strings.Join(worked, ", ")
	case os.Getuid() == 0:
		s.Why = whyRoot
	case len(s.Gaps) > 0:
		s.Level = message.LevelLimited
	default:
		s.Level = message.LevelFull
	}
}

// try has a guard try what a command must not do.
func try(ctx context.Context, s *System) (map[string]bool, error) {
	dir, err := os.MkdirTemp("", "fairlead-probe-")
	if err != nil {
		return nil, fmt.Errorf("make a folder to try in: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system empties its folder for such in time
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, fmt.Errorf("find the folder to try in: %w", err)
	}
	probe, end, err := targets(dir)
	defer end()
	if err != nil {
		return nil, err
	}
	workspace := filepath.Join(dir, "workspace")
	if err := os.Mkdir(workspace, 0o700); err != nil {
		return nil, err
	}
	space, err := s.Open(Place{Workspace: workspace, Private: filepath.Join(dir, "private")})
	if err != nil {
		return nil, err
	}
	defer space.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	spec := space.spec(Command{Dir: workspace})
	spec.Probe = probe
	p, err := space.begin(spec, null)
	if err != nil {
		return nil, err
	}
	select {
	case <-p.Done():
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if _, _, err := p.Result(); err != nil {
		return nil, err
	}
	tried := p.report.Tried
	// It may have been written where only the command sees it.
	_, err = os.Stat(filepath.Join(dir, warden.ProbeFile))
	tried[warden.TriedWrite] = err == nil
	return tried, nil
}

// targets makes what a probe aims at. end takes it away again.
func targets(dir string) (probe *warden.Probe, end func(), err error) {
	var ends []func()
	end = func() {
		for _, e := range slices.Backward(ends) {
			e()
		}
	}
	probe = &warden.Probe{
		Outside: dir, Secret: filepath.Join(dir, "secret"), Socket: filepath.Join(dir, "socket"),
		Datagram: filepath.Join(dir, "datagram"), Abstract: "@fairlead-" + rand.Text(),
	}
	if err := os.WriteFile(probe.Secret, []byte("secret"), 0o600); err != nil {
		return nil, end, err
	}
	// It ends with its input, which is this program's, however that ends.
	other := exec.Command("cat")
	input, err := other.StdinPipe()
	if err == nil {
		err = other.Start()
	}
	if err != nil {
		return nil, end, fmt.Errorf("start a program to aim at: %w", err)
	}
	ends = append(ends, func() { input.Close(); _ = other.Wait() })
	probe.Process = other.Process.Pid
	tcp, err1 := net.Listen("tcp4", "127.0.0.1:0")
	path, err2 := net.Listen("unix", probe.Socket)
	abstract, err3 := net.Listen("unix", probe.Abstract)
	datagram, err4 := net.ListenPacket("unixgram", probe.Datagram)
	for _, l := range []net.Listener{tcp, path, abstract} {
		if l != nil {
			ends = append(ends, func() { l.Close() })
		}
	}
	if datagram != nil {
		ends = append(ends, func() { datagram.Close() })
	}
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, end, fmt.Errorf("open sockets to aim at: %w", err)
	}
	probe.Listener = tcp.Addr().(*net.TCPAddr).Port
	return probe, end, nil
}

// Open makes a session's place for commands. Nothing runs in it yet.
func (s *System) Open(place Place) (*Space, error) {
	held, err := place.make()
	if err != nil {
		return nil, err
	}
	place.Home = seen(place.Home)
	return &Space{place: place, held: held, locks: s.own.locks, helper: s.own.helper, link: -1, spare: -1}, nil
}

// seen is where a command sees its home: where the person's is, if there is one.
func seen(home string) string {
	home = filepath.Clean(home)
	info, err := os.Stat(home)
	if !filepath.IsAbs(home) || home == "/" || err != nil || !info.IsDir() || warden.IsSystem(home) {
		return "/home/fairlead"
	}
	return home
}
