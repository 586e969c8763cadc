package session

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"time"

	"fairlead/backend/agent"
	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/message"
	"fairlead/backend/store"
	"fairlead/backend/tool"
)

// catchUpTime is how long the store may take to be read again.
const catchUpTime = 30 * time.Second

// Config is what a session works with.
type Config struct {
	// Tools are the tools on offer.
	Tools *tool.Dispatcher
	// Model answers, and ModelName is what the person calls it.
	Model     llm.Model
	ModelName string
	Mode      agent.Mode
	Limits    agent.Limits
	// Desk takes the answers to questions, Asker asks them (nil: the desk alone).
	Desk           *approve.Desk
	Asker          approve.Asker
	Approve        approve.Mode
	ConfirmTimeout time.Duration
	// Top lists what lies at the top of the workspace, and says whether there is
	// more than it lists.
	Top func() (names []string, more bool)
	// Redact hides known keys.
	Redact func(string) string
	// NewID returns a new unique id, and Jitter what is added to the wait before
	// another attempt, 0 to 1 s; both are safe for concurrent use.
	NewID  func() string
	Jitter func() time.Duration
	Log    *slog.Logger
	// Store is where the session is put away as it grows; nil where it is not.
	Store *store.Store
	// Workspace is the folder it works on, for the store's list.
	Workspace string
}

// Session is one conversation. One run at a time works on it.
type Session struct {
	// ID names the session.
	ID string

	system   string
	sessions *Sessions
	// saved is what the store's list shows of it, and record begins the record of a
	// run; nil where nothing is put away.
	saved  store.Session
	record func() event.Keeper

	mu      sync.Mutex
	config  Config
	history []message.Message
	current *Run // nil when none is at work
	last    lastRun
	// behind says that the store lacks the end of the history.
	behind bool
}

// New starts a conversation.
func (s *Sessions) New(id string, config Config) (*Session, error) {
	system, err := systemPrompt(config.Mode, len(config.Tools.Definitions()), config.Limits.MaxSteps)
	if err != nil {
		return nil, err
	}
	created := &Session{
		ID: id, config: config, system: system, sessions: s, saved: store.Session{ID: id, Workspace: config.Workspace},
	}
	if config.Store != nil {
		created.record = func() event.Keeper { return config.Store.Record(created.saved) }
	}
	return created, nil
}

// Load goes on with a conversation that the store has, whose lock the caller holds.
// A run of it that was cut off is brought to its end first.
func (s *Sessions) Load(ctx context.Context, saved store.Session, config Config) (*Session, error) {
	loaded, err := s.New(saved.ID, config)
	if err != nil {
		return nil, err
	}
	loaded.saved = saved
	return loaded, loaded.read(ctx)
}

// read takes the history that the store has.
func (s *Session) read(ctx context.Context) error {
	err := mendSession(ctx, s.config.Store, s.ID, s.config.NewID)
	if err != nil {
		return err
	}
	if s.history, err = s.config.Store.Messages(ctx, s.ID); err != nil {
		return err
	}
	runs, err := s.config.Store.LastRuns(ctx, s.ID, math.MaxInt64, 1)
	for _, run := range runs {
		s.last = lastRun{run.ID, run.Reason}
	}
	return err
}

// Run begins to work on a prompt and returns at once. A session that is at work
// already refuses with BUSY (SPEC ST-02).
func (s *Session) Run(prompt string) (*Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(); err != nil {
		return nil, err
	}
	prompt = s.config.Redact(prompt)
	if s.saved.Title == "" {
		s.saved.Title = title(prompt)
	}
	return s.begin(prompt, "")
}

// goOn is what the model is told where a person only wants the last run continued.
const goOn = "Go on with the task where it stopped."

// Continue goes on with the last run where it stopped, and returns at once. One that
// came to its end, or that a person stopped, gives INVALID_STATE (SPEC LOOP-14).
func (s *Session) Continue() (*Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(); err != nil {
		return nil, err
	}
	if !s.last.reason.Continuable() {
		return nil, &message.Refusal{
			Code: message.InvalidState, Message: fmt.Sprintf("session %s has no run that stopped on its way; give it a task", s.ID),
		}
	}
	return s.begin(goOn, s.last.id)
}

// lastRun is the run of a session that ended last.
type lastRun struct {
	id     string
	reason message.Reason
}

// ready sees to it that a run can begin. The caller holds the lock.
func (s *Session) ready() error {
	if s.current != nil && s.current.Events.Ended() {
		// Whoever saw the end may go on at once, though the run is still putting
		// its messages away.
		ending := s.current
		s.mu.Unlock()
		<-ending.done
		s.mu.Lock()
	}
	if s.current != nil {
		return &message.Refusal{
			Code: message.Busy, Message: fmt.Sprintf("session %s is at work on another prompt; wait for it or cancel it", s.ID),
		}
	}
	return s.catchUp()
}

// begin starts a run. The caller holds the lock.
func (s *Session) begin(prompt, continues string) (*Run, error) {
	ctx, stop := context.WithCancelCause(context.Background())
	run := &Run{ID: s.config.NewID(), stop: stop, done: make(chan struct{})}
	run.Events = s.events(run)
	if err := s.sessions.add(run); err != nil {
		stop(nil)
		return nil, err
	}
	s.current = run
	input := s.input(run, prompt)
	input.Continues = continues
	go s.work(ctx, run, input)
	return run, nil
}

// events is the stream of a run, which the store listens to first. The caller
// holds the lock.
func (s *Session) events(run *Run) *event.Stream {
	if s.record == nil {
		return event.NewStream(run.ID, s.ID)
	}
	return event.NewKeptStream(run.ID, s.ID, s.record(), func(fault *event.NotKeptError) { run.stop(fault) })
}

// catchUp begins again from what the store has, after it could not take all of a
// run: what it lacks was shown to nobody. The caller holds the lock.
func (s *Session) catchUp() error {
	if !s.behind {
		return nil
	}
	ctx, stop := context.WithTimeout(context.Background(), catchUpTime)
	defer stop()
	if err := s.read(ctx); err != nil {
		return fmt.Errorf("go on with a conversation that could not be saved: %w", err)
	}
	s.behind = false
	return nil
}

// Begun says whether anything was said yet.
func (s *Session) Begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.history) > 0 || s.current != nil
}

// UseModel has the runs that follow ask another model. A run at work keeps its
// own.
func (s *Session) UseModel(model llm.Model, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.config.Model, s.config.ModelName = model, name
}

// SetApprove sets what the runs that follow ask about.
func (s *Session) SetApprove(mode approve.Mode) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.config.Approve = mode
}

func (s *Session) work(ctx context.Context, run *Run, input agent.Input) {
	defer run.stop(nil)
	run.result = agent.Run(ctx, input)
	fault := run.Events.Fault()
	if fault != nil {
		run.result.Reason = message.ReasonError
		run.result.Err = &message.RunError{Code: message.CodeInternal, Message: fault.Error()}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history = append(s.history, run.result.Messages...)
	s.behind = s.behind || fault != nil
	s.last = lastRun{run.ID, run.result.Reason}
	s.current = nil
	close(run.done)
}

// input is what a run starts from. The caller holds the lock.
func (s *Session) input(run *Run, prompt string) agent.Input {
	c := s.config
	top, more := c.Top()
	return agent.Input{
		RunID: run.ID, SessionID: s.ID, Prompt: prompt, Context: surroundings(time.Now(), top, more),
		History: s.history, System: s.system, Mode: c.Mode, Limits: c.Limits,
		Model: c.Model, ModelName: c.ModelName, Tools: c.Tools,
		Gate: &approve.Gate{
			Desk: c.Desk, RunID: run.ID, Mode: c.Approve, Timeout: c.ConfirmTimeout, Asker: c.Asker, Publish: run.Events.Publish,
		},
		Publish: run.Events.Publish, AddMessage: run.Events.AddMessage, SetPart: run.Events.SetPart,
		Redact: c.Redact, NewID: c.NewID, Jitter: c.Jitter, Log: c.Log,
	}
}

// Mode is the loop's own, named here for the doors, which know no layer below
// this one.
type Mode = agent.Mode

// Limits are the loop's own, named here for the same reason.
type Limits = agent.Limits

// The modes of the loop.
const (
	React  = agent.React
	Single = agent.Single
)
