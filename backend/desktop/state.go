package desktop

import (
	"context"
	"runtime"

	"fairlead/backend/approve"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/settings"
	"fairlead/backend/workspace"
)

// State is everything the page shows besides the events of runs.
type State struct {
	Version string `json:"version"`
	// System is linux, darwin or windows.
	System string `json:"system"`
	// Language and Theme are what the user chose; empty means the system's.
	Language string `json:"language"`
	Theme    string `json:"theme"`
	// Silent are the kinds of notices of the system that are switched off: needs, done, failed.
	Silent []string `json:"silent"`
	// Layout is how the parts of the window were arranged when that was last said.
	Layout settings.Layout `json:"layout"`
	// Workspace is the open folder; null when none is.
	Workspace *Workspace `json:"workspace"`
	// Recent are the folders chosen before, newest first.
	Recent []string `json:"recent"`
	// Documents is where a new workspace is made.
	Documents string `json:"documents"`
	// Model is the chosen one; null when none is.
	Model *Model `json:"model"`
	// Favourites are the models that the user wants at hand, the newest first.
	Favourites []SavedModel `json:"favourites"`
	// RecentModels are those that were used, the newest first.
	RecentModels []SavedModel `json:"recentModels"`
	// Tour says that folder and model are the guided tour's.
	Tour bool `json:"tour"`
	// Approve is what is asked about in the conversation: ask, preview, draft, writes or none.
	Approve approve.Mode `json:"approve"`
	// Draft is the one that the conversation has; null for none.
	Draft *DraftNote `json:"draft"`
	// Readable are the files with keys that commands of the conversation may read without a
	// question.
	Readable []string `json:"readable"`
	// NativeDialogs says that every question is also asked in a native dialog, so that
	// only one can allow a command the network.
	NativeDialogs bool `json:"nativeDialogs"`
	// Dialogs says when questions are asked in native dialogs too: always, background
	// or never.
	Dialogs string `json:"dialogs"`
	// Limited says why not everything in the folder is watched; empty when it is.
	Limited string `json:"limited"`
	// Gone says that the folder was moved or deleted: a page that comes later is
	// not told so by an event.
	Gone bool `json:"gone"`
	// Moved says that the open folder was somewhere else before, where conversations still
	// look for it; null where it was not.
	Moved *MovedFolder `json:"moved"`
	// Confinement is how far commands are confined here.
	Confinement Confinement `json:"confinement"`
	// NoCopy is why commands cannot work on a copy of the folder, as far as that is known; null
	// where they can.
	NoCopy *message.NoCopy `json:"noCopy"`
	// SessionID names the conversation; empty before its first prompt.
	SessionID string `json:"sessionId"`
	// Title is what the conversation is called; empty before its first prompt.
	Title string `json:"title"`
	// Pinned and Archived say what the user did with the conversation; it is never both.
	Pinned   bool `json:"pinned"`
	Archived bool `json:"archived"`
	// Runs are the last ones of the conversation, in order, and Earlier says that
	// there are more before them.
	Runs    []RunState `json:"runs"`
	Earlier bool       `json:"earlier"`
	// Queue are the prompts that wait in the conversation, in order.
	Queue []message.Prompt `json:"queue"`
	// Groups are the sets of tools, as they are switched in the conversation.
	Groups []ToolGroup `json:"groups"`
	// Servers are the MCP servers that the user lets run for the folder, as they are switched in the
	// conversation.
	Servers []ServerSwitch `json:"servers"`
	// Suggested counts what the folder suggests to models, by kind.
	Suggested []Suggested `json:"suggested"`
	// Warnings are what went wrong at the start, in words.
	Warnings []string `json:"warnings"`
}

// Confinement is how far commands are confined on this computer.
type Confinement struct {
	Level message.Level `json:"level"`
	// Why says what is missing for level full; empty there.
	Why string `json:"why"`
}

// RunState names a run and reports whether it has ended.
type RunState struct {
	RunID string `json:"runId"`
	Ended bool   `json:"ended"`
}

// currentState returns the state as it is now.
func (w *Window) currentState(ctx context.Context) State {
	model := w.describeModel()
	state := State{
		Version: w.Version, System: runtime.GOOS, Documents: workspace.Documents(), Model: model,
		NativeDialogs: w.asksNatively(), Dialogs: w.useDialogs(), Runs: []RunState{}, Queue: []message.Prompt{},
	}
	if w.isOpen() {
		found := w.backend.Confinement()
		state.Confinement = Confinement{found.Level, found.Missing()}
		if found.Level != message.LevelFull {
			state.NoCopy = &message.NoCopy{Code: message.NoCopyLevel}
		}
	}
	remembered, view := w.remembered.currentState(), w.folder.currentView()
	state.Language, state.Theme, state.Tour = remembered.Language, remembered.Theme, view.tour
	state.Silent = append([]string{}, remembered.Silent...)
	state.Recent, state.Layout = append([]string{}, remembered.Recent...), remembered.Layout
	state.Warnings, state.Suggested = w.remembered.listWarnings(), w.countSuggestions()
	state.Favourites, state.RecentModels = w.showModels(remembered.Favourites), w.showModels(remembered.RecentModels)
	if view.folder != nil {
		state.Workspace = &Workspace{Path: view.path, Name: folderName(view.path)}
		state.Limited, state.Gone = view.limited, view.gone
		if !view.tour {
			state.Moved = w.findMoved(ctx, view.folder)
		}
	}
	shown, open := view.shown, w.conversations.find(view.shown)
	state.Approve, state.Readable = w.conversations.approveMode(shown), w.conversations.readableIn(shown)
	if open != nil {
		state.Queue = open.waitingPrompts()
		if why := open.NoCopy(); why != nil {
			state.NoCopy = why
		}
	}
	off, err := w.groupsOff(ctx, shown)
	if err != nil && !isMissing(err) {
		state.Warnings = append(state.Warnings, err.Error())
	}
	state.Groups, state.Servers = w.toolGroups(off), w.serverSwitches(off)
	if shown == "" {
		return state
	}
	if err := w.addShown(ctx, &state, shown, open); err != nil && !isMissing(err) {
		state.Warnings = append(state.Warnings, err.Error())
	}
	return state
}

// addShown adds the conversation that is shown. One that is not there adds nothing.
func (w *Window) addShown(ctx context.Context, state *State, id string, open *conversation) error {
	var saved session.Saved
	if open == nil || open.saved {
		var err error
		saved, err = w.backend.Sessions.Find(ctx, id, "")
		// One that begins at this moment is in the store with its first event.
		if err != nil && (open == nil || !isMissing(err)) {
			return err
		}
	}
	list, err := w.lastRuns(ctx, id)
	if err != nil {
		return err
	}
	state.SessionID, state.Title, state.Runs, state.Earlier = id, saved.Title, list.Runs, list.Earlier
	state.Pinned, state.Archived = saved.Pinned, saved.Archived
	state.Draft = w.draftOf(id)
	if open == nil {
		state.Queue = forPage(saved.Queue)
	}
	return nil
}
