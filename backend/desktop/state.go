package desktop

import (
	"runtime"

	"fairlead/backend/approve"
	"fairlead/backend/workspace"
)

// State is everything the page shows besides the events of runs.
type State struct {
	Version string `json:"version"`
	// System is linux, darwin or windows.
	System string `json:"system"`
	// Language and Theme are what the person chose; empty means the system's.
	Language string `json:"language"`
	Theme    string `json:"theme"`
	// Workspace is the open folder; null when none is.
	Workspace *Workspace `json:"workspace"`
	// Recent are the folders chosen before, newest first.
	Recent []string `json:"recent"`
	// Documents is where a new workspace is made.
	Documents string `json:"documents"`
	// Model is the chosen one; null when none is.
	Model *Model `json:"model"`
	// Tour says that folder and model are the guided tour's.
	Tour bool `json:"tour"`
	// Approve is what is asked about: ask, writes or none.
	Approve approve.Mode `json:"approve"`
	// NativeDialogs says that questions are also asked in native dialogs.
	NativeDialogs bool `json:"nativeDialogs"`
	// Limited says why not everything in the folder is watched; empty when it is.
	Limited string `json:"limited"`
	// SessionID names the conversation; empty before its first prompt.
	SessionID string `json:"sessionId"`
	// Runs are those of the conversation, in order.
	Runs []RunState `json:"runs"`
	// Warnings are what went wrong at the start, in words.
	Warnings []string `json:"warnings"`
}

// RunState names a run and says whether it has ended.
type RunState struct {
	RunID string `json:"runId"`
	Ended bool   `json:"ended"`
}

// current is the state as it is now.
func (w *Window) current() State {
	model := w.model()
	w.mu.Lock()
	defer w.mu.Unlock()
	state := State{
		Version: w.Version, System: runtime.GOOS, Language: w.state.Language, Theme: w.state.Theme,
		Recent: append([]string{}, w.state.Recent...), Documents: workspace.Documents(), Model: model, Tour: w.tour, Approve: w.approve,
		NativeDialogs: w.asker != nil, Runs: []RunState{}, Warnings: append([]string{}, w.warnings...),
	}
	if w.place != nil {
		path := w.place.folder.Path()
		state.Workspace, state.Limited = &Workspace{Path: path, Name: name(path)}, w.place.limited
	}
	if w.talk != nil {
		state.SessionID = w.talk.conversation.ID
		for _, run := range w.talk.runs {
			state.Runs = append(state.Runs, RunState{run.ID, run.Events.Ended()})
		}
	}
	return state
}
