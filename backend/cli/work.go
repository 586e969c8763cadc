package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
)

// work is what one call of fairlead run does: the task, and what it is told meanwhile.
type work struct {
	command *runCommand
	backend *backend.Backend
	streams Streams
	// interrupts cancel the run from when it begins.
	interrupts *interrupts
	task       backend.Task
	tour       *backend.Tour    // nil for a real model
	runs       *runs            // set before the first run begins
	out        writer           // writes the runs
	changed    changedPaths     // what the runs that were written changed
	user       *terminal        // nil where no terminal asks
	draft      event.DraftState // what the last run has left in a draft

	project project // what the folder brings for the model
	servers usedServers
}

// asking is told when everything before a question is written, and reports whether the
// question is then asked here: at the terminal, or by the tour itself.
type asking func(milestone string) bool

// runPrompt runs the prompt, and what is said meanwhile, and reports how it ended.
func (w *work) runPrompt(prompt string) (err error) {
	if w.task.Endpoint.Provider.Name == catalog.Demo {
		if w.tour, err = w.backend.PrepareTour(w.task.Folder); err != nil {
			return err
		}
		w.task.Folder = w.tour.Folder
	}
	asking := w.chooseAsker()
	w.out = w.newWriter(asking)
	w.task.UseInstructions, w.task.UseSkill = w.project.useInstructions, w.project.useSkill
	w.backend.Servers.Changed = func(string, string) { w.servers.changed.Store(true) }
	conversation, err := w.backend.OpenConversation(context.Background(), w.task)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conversation.Close(context.Background()), w.tellLeft(conversation)) }()
	if err := w.project.agree(conversation, w.command); err != nil {
		return err
	}
	for _, path := range w.command.AllowSecret {
		if err := conversation.LetRead(path); err != nil {
			return err
		}
	}
	w.servers.workspace = conversation.Servers()
	if err := w.letStart(context.Background()); err != nil {
		return err
	}
	if w.tour != nil {
		prompt = w.tour.Prompt
	}
	if w.nobodyAnswers() {
		w.writeLine("note: there is no terminal to ask in, so whatever would ask is refused; " +
			"use --approve writes or all, or answer with --input jsonl")
	}
	w.runs = newRuns(conversation.Driver)
	if w.runs.earlier > 0 {
		w.writeLine(earlierNote(w.runs.earlier))
	}
	// Before the run, so that an interrupt never ends the program beside it.
	signals := w.interrupts.takeSignals()
	if _, err := w.runs.BeginRun(prompt); err != nil {
		return err
	}
	go obeySignals(signals, w.runs.Cancel)
	if w.command.Input == "jsonl" {
		go readOrders(w.streams.In, w.streams.Err, orders{runs: w.runs, broker: w.backend.Broker})
	}
	code := w.showRuns()
	if err := w.leaveDraft(conversation); err != nil {
		return err
	}
	if w.tour != nil {
		fmt.Fprintf(w.streams.Err, "The sample workspace is %s; delete it when you have looked at it.\n", w.tour.Folder)
		fmt.Fprintln(w.streams.Err, `For your own files: fairlead run --workspace FOLDER --provider NAME --model NAME "what to do"`)
	}
	if w.command.Stats {
		up, down := conversation.Traffic()
		if err := writeStats(w.streams.Err, slices.Collect(w.runs.all), up, down); err != nil {
			return err
		}
	}
	if code != exitOK {
		return &endedError{code}
	}
	return nil
}

// chooseAsker finds who can answer questions: lines on standard input, the
// terminal, the tour itself, or nobody, which refuses everything that would ask.
func (w *work) chooseAsker() asking {
	switch {
	case w.command.Input == "jsonl":
	case w.streams.Terminal && w.command.Prompt != "-":
		user := newTerminal(w.streams, w.backend.Broker, func() string { return w.runs.RunID() })
		w.task.Asker, w.task.GuardAsker, w.user = user, user, user
		return user.shown.markReached
	case w.tour != nil:
		guide := &guide{out: w.streams.Err, shown: &milestones{}}
		w.task.Asker, w.task.GuardAsker = guide, guide
		return guide.shown.markReached
	default:
		w.backend.Broker.Close("nobody can be asked in this run")
	}
	return func(string) bool { return false }
}

// nobodyAnswers says that the mode asks and nobody can answer.
func (w *work) nobodyAnswers() bool {
	passes := w.task.Approve == approve.All || w.task.Approve == approve.Draft
	return w.task.Asker == nil && w.command.Input == "" && !passes && w.task.Approve != approve.None
}

// tellLeft says what commands in the background have left, after the conversation was
// closed and they were ended with it.
func (w *work) tellLeft(conversation *backend.Conversation) error {
	left := conversation.Left()
	if len(left) == 0 {
		return nil
	}
	data := event.ProcessesNoticed{SessionID: conversation.ID, Notices: left}
	return w.out.write([]event.Event{{
		Seq: 1, SessionID: conversation.ID, TS: time.Now().UnixMilli(), Type: data.EventType(), Data: data,
	}})
}

// showRuns writes the events of the runs until the last one's end and returns the exit
// code, which is that run's. A cancelled run does not wait for a reader that does not
// read, and a reader that has gone cancels the run.
func (w *work) showRuns() int {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	written := make(chan error, 1)
	go func() {
		err := w.followRuns(ctx, w.out)
		if err != nil {
			_ = w.runs.Cancel() // the run may have ended in this moment
		}
		written <- err
	}()
	unbegun := w.runs.Finish()
	var unwritten error
	select {
	case unwritten = <-written:
	case <-w.runs.Cancelled():
		select {
		case unwritten = <-written:
		case <-time.After(drainTime):
			unwritten = errUnread
		}
	}
	code := w.runs.exitCode()
	if unbegun != nil {
		w.writeLine("error: begin the next run: " + oneLine(unbegun.Error()))
		code = exitError
	}
	if unwritten == nil {
		w.tellChanged()
	}
	if left := w.runs.countLeft(); left > 0 {
		w.writeLine(leftNote(left, !w.task.Unsaved && w.tour == nil))
	}
	switch {
	case unwritten == nil:
		return code
	case errors.Is(unwritten, errUnread):
		code = exitCancelled
	case code == exitOK:
		code = exitError
	}
	w.writeLine("error: " + oneLine(unwritten.Error()))
	return code
}

// followRuns writes the events of one run after the other, at the reader's own pace. It
// reports what was still unread when ctx ended.
func (w *work) followRuns(ctx context.Context, out writer) error {
	told := false
	for run := range w.runs.all {
		if notes := w.project.notes(); !told {
			told = len(notes) > 0
			for _, note := range notes {
				w.writeLine(note)
			}
		}
		err := run.Follow(ctx, func(events []event.Event) error {
			for _, note := range w.servers.notes() {
				w.out.note(note)
			}
			w.changed.note(events)
			w.noteDraft(events)
			if err := out.write(events); err != nil {
				return fmt.Errorf("write output: %w", err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// leftNote says how many prompts wait that are not run, and whether they are kept.
func leftNote(n int, kept bool) string {
	note := fmt.Sprintf("note: %d prompts that waited were not run", n)
	end := "; they wait on in the conversation"
	if n == 1 {
		note, end = "note: 1 prompt that waited was not run", "; it waits on in the conversation"
	}
	if !kept {
		return note
	}
	return note + end
}

// earlierNote says how many prompts an earlier run of the conversation left.
func earlierNote(n int) string {
	if n == 1 {
		return "note: 1 prompt waits in this conversation from before, and waits on; the window can send it"
	}
	return fmt.Sprintf("note: %d prompts wait in this conversation from before, and wait on; the window can send them", n)
}

// writeLine writes a line to standard error.
func (w *work) writeLine(line string) { fmt.Fprintln(w.streams.Err, message.Visible(line)) }

func (w *work) newWriter(asking asking) writer {
	if w.command.Output == "jsonl" {
		return jsonl{w.streams.Out, w.streams.Err, asking}
	}
	label := ""
	if w.tour != nil {
		label = w.tour.Label
	}
	return newText(w.streams.Out, w.streams.Err, w.streams.LiveOut, label, asking)
}
