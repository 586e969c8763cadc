package process

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox"
	"fairlead/backend/sandbox/sandboxtest"
)

// installed is the system with the program that is built into those that people have.
func installed() *sandbox.System {
	return sandbox.Inspect(context.Background(), sandboxtest.Program("fairlead-supervisor"), nil)
}

// BenchmarkServer is from the start of a server to the first byte that it answers.
func BenchmarkServer(b *testing.B) {
	g := newGrounds(b, environment{string(message.LevelFull), installed, sandboxtest.NeedsFull})
	for b.Loop() {
		s, err := StartServer(g.openSpace(b, sandbox.AccessRead, nil), ServerCommand{Program: "/bin/cat"})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.WriteString(s.Input, "x"); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(s.Output, make([]byte, 1)); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkConfinedRun is what a confined command takes, for BenchmarkServer to be compared with.
func BenchmarkConfinedRun(b *testing.B) {
	g := newGrounds(b, environment{string(message.LevelFull), installed, sandboxtest.NeedsFull})
	space, err := g.system.Open(sandbox.Place{Workspace: g.workspace, Private: filepath.Join(g.private, "commands"), Home: os.Getenv("HOME")})
	if err != nil {
		b.Fatal(err)
	}
	defer space.Close()
	for b.Loop() {
		if _, err := Run(b.Context(), Command{Line: "true", Dir: g.workspace, Space: space}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstRun is the same for the first command of a conversation, for which a supervisor
// is started as for a server.
func BenchmarkFirstRun(b *testing.B) {
	g := newGrounds(b, environment{string(message.LevelFull), installed, sandboxtest.NeedsFull})
	for b.Loop() {
		space, err := g.system.Open(sandbox.Place{Workspace: g.workspace, Private: filepath.Join(g.private, "commands"), Home: os.Getenv("HOME")})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Run(b.Context(), Command{Line: "echo", Dir: g.workspace, Space: space}); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := space.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
