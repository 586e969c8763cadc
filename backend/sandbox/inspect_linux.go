package sandbox

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairlead/backend/leftover"
	"fairlead/backend/message"
	"fairlead/backend/sandbox/runnable"
	"fairlead/backend/sandbox/supervisor"
)

// own is what Linux adds to a System.
type own struct {
	// program is the one that confines commands, opened. It stays the same, whatever
	// comes to lie at its path: an update, or in a workspace what a command put there.
	program *os.File
	locks   supervisor.Locks
	// works says that the locks can be set at all.
	works bool
}

// mild are the attempts that may work at level Limited, by the gap they show.
var mild = map[string]Gap{
	supervisor.TriedModes: GapModes, supervisor.TriedTimes: GapModes, supervisor.TriedSignal: GapSignals,
}

// Inspect finds out how far commands can be confined, by trying: at first with every
// lock that the system has, and where that does not work, without namespaces. helper
// is the program that starts them, this one or the one beside it; it is needed only where
// the supervisor that is built into this one is missing or cannot be run. What
// trying takes elsewhere is on record meanwhile.
func Inspect(ctx context.Context, helper string, record *leftover.Record) *System {
	return inspectWithout(ctx, helper, Without{}, record)
}

// InspectWithout does the same on a system that lacks something, for tests of what
// the levels are worth.
func InspectWithout(ctx context.Context, helper string, without Without) *System {
	return inspectWithout(ctx, helper, without, nil)
}

func inspectWithout(ctx context.Context, helper string, without Without, record *leftover.Record) *System {
	small := inspectSupervisor(ctx, helper, without, record)
	// The system can know a program by its path and allow it more.
	if small.own.works && small.own.locks.Namespaces != without.Namespaces {
		return small
	}
	program, err := runnable.Open(helper)
	if err != nil {
		if !small.own.works {
			small.Why = err.Error()
		}
		return small
	}
	found := inspectProgram(ctx, program, helper, without, record)
	if small.own.works && !found.own.locks.Namespaces {
		program.Close()
		return small
	}
	return found
}

// inspectSupervisor does so with the supervisor that is built in.
func inspectSupervisor(ctx context.Context, helper string, without Without, record *leftover.Record) *System {
	if supervisorProgram == "" {
		return &System{Level: message.LevelNone}
	}
	program, err := runnable.InMemory("fairlead-supervisor", strings.NewReader(supervisorProgram))
	if err != nil {
		return &System{Level: message.LevelNone} // the other program is left
	}
	runnable.Forget(embedded)
	found := inspectProgram(ctx, program, helper, without, record)
	if !found.own.works {
		program.Close()
		return &System{Level: message.LevelNone}
	}
	return found
}

// inspectProgram does so with one program. path is where the user finds what starts
// commands.
func inspectProgram(ctx context.Context, program *os.File, path string, without Without, record *leftover.Record) *System {
	locks := supervisor.Locks{Namespaces: !without.Namespaces, Seccomp: !without.Seccomp}
	if !without.Landlock {
		locks.Landlock = supervisor.LandlockVersion()
	}
	found := inspectLocks(ctx, program, locks, record)
	if found.own.works || !locks.Namespaces {
		return found
	}
	locks.Namespaces = false
	limited := inspectLocks(ctx, program, locks, record)
	if limited.Level == message.LevelLimited {
		limited.Why = found.Why
	}
	limited.explainSetting(found.Why, path)
	return limited
}

// inspectLocks finds out what a set of locks is worth.
func inspectLocks(ctx context.Context, program *os.File, locks supervisor.Locks, record *leftover.Record) *System {
	s := &System{Level: message.LevelNone, own: own{program: program, locks: locks}}
	tried, err := inScene(record, func(scene *scene) (map[string]bool, error) { return s.tryAttempts(ctx, scene) })
	if err != nil {
		s.Why = err.Error()
		// What does not work is not used: a command then runs with what is left.
		s.own.locks = supervisor.Locks{}
		return s
	}
	s.own.works = true
	s.judgeAttempts(tried)
	return s
}

// judgeAttempts draws the level from what worked.
func (s *System) judgeAttempts(tried map[string]bool) {
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

// tryAttempts has a guard try what a command must not do.
func (s *System) tryAttempts(ctx context.Context, scene *scene) (map[string]bool, error) {
	probe, err := scene.newProbe()
	if err != nil {
		return nil, err
	}
	space, err := s.open(Place{Workspace: scene.workspace, Private: filepath.Join(scene.dir, "private")})
	if err != nil {
		return nil, err
	}
	defer space.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	p, err := space.startCommand(space.placeFor(false), supervisor.Spec{Dir: scene.workspace, Probe: probe}, null, nil, func() string { return "" }, func() {})
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
	_, err = os.Stat(filepath.Join(probe.Outside, supervisor.ProbeFile))
	tried[supervisor.TriedWrite] = err == nil
	return tried, nil
}

// newProbe names what is aimed at, and adds to it the sockets that only Linux has.
func (s *scene) newProbe() (*supervisor.Probe, error) {
	probe := &supervisor.Probe{
		Outside: s.dir, Secret: filepath.Join(s.dir, "secret"), Process: s.process.Process.Pid, Listener: s.serverPort(),
		Socket: filepath.Join(s.dir, "socket"), Datagram: filepath.Join(s.dir, "datagram"), Abstract: "@fairlead-" + rand.Text(),
	}
	if err := s.startServer("unix", probe.Abstract); err != nil {
		return nil, err
	}
	datagram, err := net.ListenPacket("unixgram", probe.Datagram)
	if err != nil {
		return nil, fmt.Errorf("open a socket to aim at: %w", err)
	}
	s.servers = append(s.servers, datagram)
	return probe, nil
}

// Open makes a session's place for commands. Nothing runs in it yet.
func (s *System) Open(place Place) (*Space, error) {
	space, err := s.open(place)
	if err == nil && s.own.locks.Namespaces {
		space.place.linkCaches(space.place.homeFolder())
	}
	return space, err
}

// open makes one whose home has no caches in it.
func (s *System) open(place Place) (*Space, error) {
	held, err := place.makeFolders()
	if err != nil {
		return nil, err
	}
	git := &gitCopy{home: place.Home, folder: place.givenFolder()}
	place.Hide = slices.Concat(place.Hide, place.withheldFiles())
	place.Home = seenHome(place.Home)
	space := &Space{
		place: place, held: held, git: git, locks: s.own.locks, program: s.own.program, link: -1, spare: -1,
		budget: budget{command: commandLimits, all: runLimits},
	}
	space.timer = time.AfterFunc(idle, space.stopIdle)
	return space, nil
}

// seenHome is where a command sees its home: where the user's is, if there is one.
func seenHome(home string) string {
	home = filepath.Clean(home)
	info, err := os.Stat(home)
	if !filepath.IsAbs(home) || home == "/" || err != nil || !info.IsDir() || supervisor.IsSystem(home) {
		return "/home/fairlead"
	}
	return home
}
