package session

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"fairlead/backend/agent"
	"fairlead/backend/approve"
	"fairlead/backend/change"
	"fairlead/backend/event"
	"fairlead/backend/hook"
	"fairlead/backend/message"
	"fairlead/backend/store"
	"fairlead/backend/tool"
)

// Config is what a session works with.
type Config struct {
	// Tools are where the tools come from; they are asked at the start of each run.
	Tools *tool.Toolsets
	// Model answers.
	Model  Model
	Mode   agent.Mode
	Limits message.Limits
	// CountTokens estimates the tokens of a text.
	CountTokens func(text string) int
	// Hooks watch and alter the runs.
	Hooks []hook.Hook
	// Instructions are what the model is told beside its task, by the user and by
	// the project; read at the start of each run.
	Instructions func() Instructions
	// Nearby returns what looks for instructions in the course of a run, which begins with those
	// given; nil, or a nil result, for none.
	Nearby func(Instructions) LookNearby
	// Broker takes the answers to questions; Asker and GuardAsker ask them (nil: the
	// broker alone).
	Broker     *approve.Broker
	Asker      approve.Asker
	GuardAsker approve.GuardAsker
	Approve    approve.Mode
	// AskAhead has the questions about all calls of a reply open at once.
	AskAhead bool
	// AllowNetwork answers every question about the network with a yes.
	AllowNetwork bool
	// Notices returns what commands in the background have left that nobody was told of,
	// each once; nil for none.
	Notices func() []message.Notice
	// Changes makes and records what the session changes in its workspace; nil where it
	// changes nothing.
	Changes *change.Recorder
	// Drafts are where its runs work in the mode draft; nil where there are none. Held says of
	// changes that are not applied yet why they are not to be unasked, and Ignored returns what
	// reports whether git ignores a path.
	Drafts  Drafts
	Held    func(context.Context, *change.Pending) (map[int]message.Held, error)
	Ignored func() func(local string) bool
	// Top lists what lies at the top of the workspace, and reports whether there is
	// more than it lists.
	Top func() (names []string, more bool)
	// Redact hides known keys.
	Redact func(string) string
	// NewID returns a new unique id, and Jitter what is added to the wait before
	// another attempt, 0 to 1 s; both are safe for concurrent use.
	NewID  func() string
	Jitter func() time.Duration
	Log    *slog.Logger
	// Store is where the session is saved as it grows; nil where it is not. Manager.Open sets
	// it.
	Store *store.Store
	// Workspace is the folder it works on, for the store's list.
	Workspace string
	// GroupsOff are the sets of tools that a new session begins without.
	GroupsOff []string
	// Close gives back what the session works with, and is called once; nil for nothing.
	Close func() error
}

// Session is one conversation. One run at a time works on it.
type Session struct {
	// ID names the session.
	ID string

	manager *Manager
	hooks   *hook.Chain
	// record begins the record of a run; nil where nothing is saved.
	record func(context.Context, store.Session) event.Keeper

	// turn orders those who begin runs and change what waits. Its holder may wait for
	// the store, for the toolsets, and for a run whose end was seen.
	turn sync.Mutex

	// mu guards what follows. Nobody who has it waits for anything.
	mu     sync.Mutex
	config Config
	// saved is what the store's list shows of it.
	saved   store.Session
	history []message.Message
	// parts knows those of the history: the current run has it, else the holder of the turn.
	parts   *agent.Parts
	current *Run // nil when none is running
	// last is the run that ended last, and task the last one that had a task: others sum up.
	last, task endedRun
	// queue are the prompts that wait; urgent says that the current run was
	// interrupted for the first of them.
	queue  []message.Prompt
	urgent bool
	// held are the prompts that wait until the user sends them: a cancel, a failure
	// or the end of a process left them.
	held map[string]bool
	// behind says that the store lacks the end of the history.
	behind bool

	// begun are the runs in order. Only the holder of the turn adds to it.
	begun *chain
	// keep is given each run that begins; nil where nobody keeps them.
	keep func(*Run)
	// over says that no run begins any more; the turn guards it.
	over bool
	// stopped is closed when nothing is to begin any more; stop closes it.
	stopped chan struct{}
	stop    func()
}

// newSession starts a conversation.
func (m *Manager) newSession(id string, config Config) *Session {
	created := &Session{
		ID: id, config: config, manager: m, held: map[string]bool{},
		saved:   store.Session{ID: id, Workspace: config.Workspace, GroupsOff: config.GroupsOff},
		begun:   newChain(),
		stopped: make(chan struct{}),
		hooks:   hook.NewChain(config.Log, append(config.Hooks[:len(config.Hooks):len(config.Hooks)], redactionHook(config.Redact))...),
	}
	created.stop = sync.OnceFunc(func() { close(created.stopped) })
	created.parts = agent.NewParts(config.CountTokens, created.readPart, created.readData)
	if config.Store != nil {
		created.record = func(ctx context.Context, saved store.Session) event.Keeper { return config.Store.Record(ctx, saved) }
		m.readFrom(config.Store)
	}
	return created
}

// redactionHook keeps known keys out of the results of tools. It comes last, so that no
// other hook can bring one back.
func redactionHook(redact func(string) string) hook.Hook {
	return hook.Hook{
		Name: "redaction", Priority: math.MaxInt,
		PostActing: func(_ context.Context, _ message.Call, result message.Result) (message.Result, error) {
			result.Content = result.Content.Redact(redact)
			if result.Error != nil {
				result.Error = &message.ToolError{Code: result.Error.Code, Message: redact(result.Error.Message)}
			}
			if result.Data != nil && result.Data.URL != "" {
				data := *result.Data
				data.URL = redact(data.URL)
				result.Data = &data
			}
			result.Notices = redactNotices(result.Notices, redact)
			return result, nil
		},
	}
}

// BeginRun begins to work on a prompt, and on the blocks that go with it, and returns at
// once. A session that has a run already refuses with BUSY (SPEC ST-02).
func (s *Session) BeginRun(prompt string, blocks ...message.Block) (*Run, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.waitForPrevious(); err != nil {
		return nil, err
	}
	prompt = s.config.Redact(prompt)
	s.mu.Lock()
	if s.saved.Title == "" {
		s.saved.Title = titleOf(prompt)
	}
	s.mu.Unlock()
	return s.startRun(prompt, "", message.Content(blocks).Redact(s.config.Redact))
}

// goOn is what the model is told where a user only wants the last run continued.
const goOn = "Go on with the task where it stopped."

// ContinueRun goes on with the last task where its run stopped, and returns at once. One that
// completed, or that a user stopped, gives INVALID_STATE (SPEC LOOP-14).
func (s *Session) ContinueRun() (*Run, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.waitForPrevious(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	task := s.task
	s.mu.Unlock()
	if !task.reason.Continuable() {
		return nil, &message.Refusal{
			Code: message.InvalidState, Message: fmt.Sprintf("session %s has no run that stopped on its way; give it a task", s.ID),
		}
	}
	return s.startRun(goOn, task.id, nil)
}

// waitForPrevious refuses while another run is running, and returns when the session has
// taken what the last one left. The caller has the turn.
func (s *Session) waitForPrevious() error {
	if s.over {
		return errOver
	}
	return s.waitForRun()
}

// waitForRun is waitForPrevious for who begins no run.
func (s *Session) waitForRun() error {
	s.mu.Lock()
	current := s.current
	s.mu.Unlock()
	if current != nil {
		if !current.Events.Ended() {
			return &message.Refusal{
				Code: message.Busy, Message: fmt.Sprintf("session %s is busy with another prompt; wait for it or cancel it", s.ID),
			}
		}
		// A caller that saw the end may go on at once, though the session has yet to take what
		// the run left.
		<-current.done
	}
	return s.catchUp()
}

// startRun starts a run. The caller has the turn.
func (s *Session) startRun(prompt, continues string, blocks []message.Block) (*Run, error) {
	ctx, run := s.newRun()
	publish, leave, err := s.enterDraft(ctx, run)
	if err != nil {
		run.stop(nil)
		return nil, err
	}
	input, err := s.newInput(ctx, run, prompt)
	if err == nil {
		err = s.manager.addRun(run)
	}
	if err != nil {
		run.stop(nil)
		leave()
		return nil, err
	}
	input.Publish, input.Continues, input.Blocks = publish, continues, blocks
	if s.config.Changes != nil {
		s.config.Changes.SetRun(run.ID)
	}
	s.beginWork(run, func() {
		defer leave()
		s.runToEnd(ctx, run, func() agent.Result { return agent.Run(ctx, input) })
	})
	return run, nil
}

// newRun returns a run that has yet to begin, and the context that its stop ends.
func (s *Session) newRun() (context.Context, *Run) {
	ctx, stop := context.WithCancelCause(context.Background())
	run := &Run{ID: s.config.NewID(), control: &agent.Control{}, stop: stop, done: make(chan struct{})}
	run.Events = s.newStream(ctx, run)
	return ctx, run
}

// beginWork makes a run the current one and has it work. The caller has the turn.
func (s *Session) beginWork(run *Run, work func()) {
	s.mu.Lock()
	s.current, s.urgent = run, false
	s.saved.Notices = nil // the run tells of them
	s.mu.Unlock()
	if s.keep != nil {
		s.keep(run)
	}
	s.begun.add(run)
	go work()
	// What is said to the run from now on comes after its first event.
	_, _ = run.Events.After(context.Background(), 0)
	if s.isStopped() {
		run.cancel() // who stopped it may have found the run before
	}
}

// Workspace is the folder that it works on.
func (s *Session) Workspace() string { return s.config.Workspace }

// Begun reports whether anything was said yet.
func (s *Session) Begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.history) > 0 || s.current != nil
}

// isKept reports whether the store has the session: it does from its first run on.
func (s *Session) isKept() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config.Store != nil && s.saved.Title != ""
}

// ApproveMode is what is asked about now.
func (s *Session) ApproveMode() approve.Mode {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config.Approve
}

// SetApprove sets what is asked about, from the next call on.
func (s *Session) SetApprove(mode approve.Mode) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.config.Approve = mode
}

// runToEnd brings a run to its end, takes its result, and lets go of it.
func (s *Session) runToEnd(ctx context.Context, run *Run, work func() agent.Result) {
	defer run.stop(nil)
	result := work()
	fault := run.Events.Fault()
	if fault != nil {
		result.Reason = message.ReasonError
		result.Err = &message.RunError{Code: message.CodeStorage, Message: fault.Error()}
	}
	if fault != nil && fault.File != "" {
		if _, err := s.writeOut(run); err != nil { // now with its end
			s.config.Log.Warn("write out a run", "run", run.ID, "error", err)
		}
	}
	if s.config.Store != nil && fault == nil {
		s.keepParts(result.History)
		s.freeAfterRun(context.WithoutCancel(ctx), run.ID)
	}
	s.mu.Lock()
	s.history = result.History
	s.behind = s.behind || fault != nil
	s.last = endedRun{run.ID, result.Reason}
	if !run.compacts {
		s.task = s.last
	}
	if !s.goesOn() {
		s.holdQueue()
	}
	s.current = nil
	s.mu.Unlock()
	result.History = nil // the session's from here on
	run.result = result
	close(run.done)
	s.manager.releaseRun(run, s.config.Store != nil && fault == nil)
}

// newInput returns what a run starts from. The caller has the turn.
func (s *Session) newInput(ctx context.Context, run *Run, prompt string) (agent.Input, error) {
	s.takeNotices()
	s.mu.Lock()
	c, saved, history := s.config, s.saved, s.history
	s.mu.Unlock()
	all, missing := c.Tools.ForRun(ctx)
	tools := all.Without(saved.GroupsOff)
	notices := slices.Concat(saved.Notices, missingTools(missing, c.Redact))
	instructions, offered := c.Instructions(), tools.Definitions()
	if agent.IsSmallWindow(c.Model.Window) {
		offered = tools.Essential().Definitions()
	}
	system, err := systemPrompt(c.Mode, offered, c.Limits.MaxSteps, instructions)
	if err != nil {
		return agent.Input{}, err
	}
	top, more := c.Top()
	return agent.Input{
		RunID: run.ID, SessionID: s.ID, Prompt: prompt, Context: describeSurroundings(time.Now(), top, more, notices),
		Notices: notices, Changed: s.changedSoFar(ctx), Nearby: c.lookNearby(instructions),
		History: history, System: system, Mode: c.Mode, Limits: c.Limits,
		Model: c.Model.Model, ModelName: c.Model.Name, Price: c.Model.Price,
		Window: c.Model.Window, LearnWindow: s.learnWindow(c.Model), AskWindow: c.Model.AskWindow, Server: c.Model.Server,
		Parts: s.parts, Tools: tools, Hooks: s.hooks, Control: run.control, Prompts: s.takeJoining,
		AskAhead: c.AskAhead,
		Gate: &approve.Gate{
			Broker: c.Broker, RunID: run.ID, Mode: s.ApproveMode, Timeout: c.Limits.ConfirmTimeout,
			AllowNetwork: c.AllowNetwork,
			Asker:        c.Asker, GuardAsker: c.GuardAsker, Publish: run.Events.Publish,
		},
		Publish: run.Events.Publish, AddMessage: run.Events.AddMessage, SetPart: run.Events.SetPart,
		Redact: c.Redact, NewID: c.NewID, Now: time.Now, Jitter: c.Jitter, Log: c.Log,
	}, nil
}

// Mode is the loop's own, named here for the entry points, which know no layer below
// this one.
type Mode = agent.Mode

// The modes of the loop.
const (
	React  = agent.React
	Single = agent.Single
)
