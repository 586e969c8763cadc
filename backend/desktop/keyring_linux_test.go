package desktop_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

// silentBus makes the session bus one that takes calls and never answers. A call
// that is closed has failed.
func silentBus(t *testing.T) <-chan net.Conn {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bus")
	bus, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	called := make(chan net.Conn, 100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		var calls []net.Conn
		for {
			call, err := bus.Accept()
			if err != nil {
				for _, call := range calls {
					_ = call.Close()
				}
				return
			}
			calls = append(calls, call)
			called <- call
		}
	}()
	t.Cleanup(func() {
		if err := bus.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		<-done
	})
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+path)
	return called
}

func TestTheKeyOfAnotherModelIsNotTakenForTheChosenOnes(t *testing.T) {
	called := silentBus(t)
	s := open(t, "text hello", nil)
	state := settings.State{Model: settings.ModelChoice{Provider: "openai", Model: "m"}}
	if err := state.Write(s.folders.State); err != nil {
		t.Fatal(err)
	}
	second := s.again()
	call := <-called // the window asks for the key of the model of the last time
	t.Setenv("OLLAMA_HOST", s.baseURL[:len(s.baseURL)-len("/v1")])
	choice := desktop.ModelChoice{Provider: "ollama", Model: "scripted", Key: "sk-canary-for-here", Keep: "session"}
	if _, err := service[*desktop.Models](second).Use(choice); err != nil {
		t.Fatal(err)
	}
	if err := call.Close(); err != nil {
		t.Error(err)
	}
	heard := 0
	second.screen.await(t, "the end of both searches", func(e envelope) bool {
		if e.Type == event.TypeWindowChanged {
			heard++
		}
		return heard == 2
	})
	if got := second.state().Model.KeySource; got != secret.FromSession {
		t.Errorf("the key comes from %q", got)
	}
}

func TestTheWindowAnswersWhileTheKeyringDoesNot(t *testing.T) {
	called := silentBus(t)
	s := open(t, "", nil)
	if _, err := service[*desktop.Folders](s).Open(s.folder); err != nil {
		t.Fatal(err)
	}
	used, ran := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := service[*desktop.Models](s).Use(desktop.ModelChoice{Provider: "openai", Model: "m"})
		used <- err
	}()
	if err := errors.Join((<-called).Close(), <-used); err != nil {
		t.Fatal(err)
	}
	go func() {
		_, err := s.Run(desktop.Task{Prompt: "x"})
		ran <- err
	}()
	call := <-called
	// Each of these would wait for the keyring, too, if a lock were held for it.
	if state := s.state(); state.Model == nil || state.Theme != "" {
		t.Errorf("state: %+v", state)
	}
	if _, err := service[*desktop.Preferences](s).SetTheme("dark"); err != nil {
		t.Error(err)
	}
	if s.Closing() {
		t.Error("an idle window stays open")
	}
	select {
	case err := <-ran:
		t.Errorf("the run did not wait for the keyring: %v", err)
	default:
	}
	if err := call.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ran; code(t, err) != desktop.CodeNoKey {
		t.Errorf("a run without a key: %v", err)
	}
}

func TestSEC03_KeysAreTakenBeforeTheWindowSystemStarts(t *testing.T) {
	t.Setenv("DEEPSEEK_API_KEY", "sk-canary-0123456789")
	t.Setenv("MY_KEY", "sk-canary-9876543210")
	dir := t.TempDir()
	file := "version = 1\nprovider = \"openai\"\nmodel = \"m\"\napi_key_env = \"MY_KEY\"\n"
	if err := os.WriteFile(filepath.Join(dir, settings.FileName), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	window := desktop.NewWindow("test", settings.Folders{Config: dir, Data: dir, State: dir})
	for _, variable := range []string{"DEEPSEEK_API_KEY", "MY_KEY"} {
		if os.Getenv(variable) != "" {
			t.Errorf("programs that the window system starts inherit %s", variable)
		}
	}
	screen := newScreen()
	window.Start(screen, nil)
	defer func() {
		if err := window.Stop(); err != nil {
			t.Error(err)
		}
	}()
	s := &stage{t: t, Window: window}
	screen.await(t, "the end of the search", ofType(event.TypeWindowChanged))
	if state := s.state(); len(state.Warnings) != 0 || state.Model.KeySource != secret.FromEnvironment {
		t.Errorf("state: %+v, model %+v", state, state.Model)
	}
}
