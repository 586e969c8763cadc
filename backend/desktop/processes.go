package desktop

import (
	"net/http"
	"strconv"

	"fairlead/backend"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/process"
)

// Processes is bound to the page: it works on the commands of the conversation that
// is shown.
type Processes struct{ window *Window }

// Process is a command of a conversation, as the page shows it.
type Process struct {
	// ID is p1, p2, …; empty for one in the foreground.
	ID string `json:"id"`
	// CallID is the call that started it.
	CallID  string        `json:"callId"`
	Command string        `json:"command"`
	Level   message.Level `json:"level"`
	// Network says that it has the network.
	Network bool `json:"network"`
	// Background says that no call waits for it.
	Background bool `json:"background"`
	Running    bool `json:"running"`
	// StartedAt and EndedAt are in milliseconds since 1970; 0 while it runs.
	StartedAt int64 `json:"startedAt"`
	EndedAt   int64 `json:"endedAt"`
	// ExitCode is -1 when a signal ended it, whose name is Signal.
	ExitCode int    `json:"exitCode"`
	Signal   string `json:"signal"`
	// Failed says why it was not run; empty for one that was.
	Failed string `json:"failed"`
	// Notices are what it has left in the folder and the user should know of.
	Notices []message.Notice `json:"notices"`
}

// ProcessList are the commands of a conversation, the newest first.
type ProcessList struct {
	Processes []Process `json:"processes"`
}

// Output is a part of what a command wrote.
type Output struct {
	// Text is valid UTF-8 with the sequences that colour it.
	Text string `json:"text"`
	// From is where it begins, in bytes: later than asked for where older text is no
	// longer kept. Next is where it ends.
	From    int64 `json:"from"`
	Next    int64 `json:"next"`
	Running bool  `json:"running"`
}

// Moved names a command that was moved to the background.
type Moved struct {
	ProcessID string `json:"processId"`
}

// Kill ends the command of a call with all its processes, one in the foreground too. A
// call that waits for it has its result then, which says so.
func (p *Processes) Kill(callID string) (None, error) {
	return Guard(p.window, func() (None, error) {
		jobs, err := p.window.shownJobs()
		if err != nil {
			return None{}, err
		}
		return None{}, asNotFound(jobs.End(p.window.ctx, callID))
	})
}

// Move moves the command that a call waits for to the background. The call has its
// result at once; the command goes on.
func (p *Processes) Move(callID string) (Moved, error) {
	return Guard(p.window, func() (Moved, error) {
		jobs, err := p.window.shownJobs()
		if err != nil {
			return Moved{}, err
		}
		id, err := jobs.Move(callID)
		return Moved{id}, asNotFound(err)
	})
}

// asNotFound turns an error about a command into the refusal of one that is not there.
func asNotFound(err error) error {
	if err == nil {
		return nil
	}
	return &message.Refusal{Code: message.NotFound, Message: err.Error()}
}

// shownJobs returns the commands of the conversation that is shown.
func (w *Window) shownJobs() (*process.Jobs, error) {
	conversation, err := w.shownConversation()
	if err != nil {
		return nil, err
	}
	return conversation.Jobs, nil
}

// shownConversation returns the open conversation that is shown.
func (w *Window) shownConversation() (*backend.Conversation, error) {
	if open := w.conversations.find(w.folder.currentView().shown); open != nil {
		return open.Conversation, nil
	}
	return nil, &message.Refusal{Code: message.NotFound, Message: "no command of this conversation runs"}
}

// listProcesses lists the commands of the conversation that is shown.
func (w *Window) listProcesses(*http.Request) (any, error) {
	list := ProcessList{Processes: []Process{}}
	conversation, err := w.shownConversation()
	if err != nil {
		return list, nil //nolint:nilerr // a conversation that is not open has none
	}
	for _, j := range conversation.Jobs.List() {
		p := Process{
			ID: j.ID, CallID: j.CallID, Command: j.Command, Level: j.Level, Network: j.Network,
			Background: j.Background, Running: j.Running, StartedAt: j.StartedAt.UnixMilli(),
			ExitCode: j.ExitCode, Signal: j.Signal, Failed: j.Failed, Notices: []message.Notice{},
		}
		p.Notices = append(p.Notices, conversation.NoticesOf(j.ID)...)
		if !j.Running {
			p.EndedAt = j.EndedAt.UnixMilli()
		}
		list.Processes = append(list.Processes, p)
	}
	return list, nil
}

// readOutput reads what the command of a call wrote. Of one that nothing is kept of, as when
// its conversation was closed the moment before, there is nothing more to read.
func (w *Window) readOutput(request *http.Request) (any, error) {
	from, err := strconv.ParseInt(request.URL.Query().Get("from"), 10, 64)
	if err != nil || from < 0 {
		return nil, &message.Refusal{Code: message.InvalidParams, Message: "from is no place in an output"}
	}
	ended := Output{From: from, Next: from}
	jobs, err := w.shownJobs()
	if err != nil {
		return ended, nil //nolint:nilerr // a conversation that is not open keeps no output
	}
	tail, err := jobs.Watch(request.PathValue("call"), from)
	if err != nil {
		return ended, nil //nolint:nilerr // so does one whose command is forgotten
	}
	return Output{Text: tail.Text, From: tail.From, Next: tail.Next, Running: tail.Running}, nil
}

// processesChanged tells every page that the commands of a conversation changed.
func (w *Window) processesChanged(sessionID string) {
	w.emitter.announce(event.ProcessesChanged{SessionID: sessionID})
}
