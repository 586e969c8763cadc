package desktop

import (
	"context"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/settings"
	"fairlead/backend/skill"
	"fairlead/backend/suggestion"
	"fairlead/backend/workspace"
	"fairlead/backend/workspace/watch"
)

// Suggested counts what the open folder suggests, of one kind.
type Suggested struct {
	Kind suggestion.Kind `json:"kind"`
	// All is how many there are, and Undecided about how many of them the user has not decided,
	// as they are now.
	All       int `json:"all"`
	Undecided int `json:"undecided"`
}

// Suggestion is one thing that the open folder suggests.
type Suggestion struct {
	Kind suggestion.Kind `json:"kind"`
	// Path is where it lies in the folder; for a server the file, # and its name.
	Path string `json:"path"`
	// SHA256 names it as it was found.
	SHA256 string `json:"sha256"`
	// Bytes is how long it is, and Cut reports whether the user is shown, and the model given, no
	// more than a part of it.
	Bytes int  `json:"bytes"`
	Cut   bool `json:"cut"`
	// CanUse reports whether it can be used; else it is only shown.
	CanUse bool `json:"canUse"`
	// Skill is what is known of a skill; null for other kinds.
	Skill *skill.Skill `json:"skill"`
	// Server is what a definition of a server says; null for other kinds. It is added in the
	// settings, with the text that is shown.
	Server *suggestion.Offer `json:"server"`
	// Decision is use, skip, or empty where nothing is decided about it as it is now.
	Decision string `json:"decision"`
}

// SuggestionList is what the open folder suggests, and More reports whether there is more.
type SuggestionList struct {
	Suggestions []Suggestion `json:"suggestions"`
	More        bool         `json:"more"`
	// LeftOut are skills that cannot be used, and why.
	LeftOut []skill.LeftOut `json:"leftOut"`
}

// SuggestionText is what the user is shown of one of them.
type SuggestionText struct {
	Suggestion
	Text string `json:"text"`
}

// UseSuggestion decides whether something that the open folder suggests is used. What has changed
// since it had this SHA-256 gives INVALID_STATE, and nothing is decided.
func (f *Folders) UseSuggestion(kind, name, sha256 string, use bool) (None, error) {
	return Guard(f.window, func() (None, error) {
		w := f.window
		folder, err := w.openFolder()
		if err != nil {
			return None{}, err
		}
		found, err := suggestion.Read(w.ctx, folder, suggestion.Kind(kind), name)
		if err != nil {
			return None{}, err
		}
		w.folder.lookForSuggestions()
		switch {
		case found.SHA256 != sha256:
			return None{}, &message.Refusal{
				Code: message.InvalidState, Message: message.Inline(name) + " has changed since it was shown; look at it again before you decide",
			}
		case use && found.Kind == suggestion.Server:
			return None{}, &message.Refusal{
				Code: message.InvalidParams, Message: message.Inline(name) + " is used only once you have added it to your servers in the settings",
			}
		case use && !found.CanUse():
			return None{}, &message.Refusal{Code: message.InvalidParams, Message: message.Inline(name) + " is never used; it is only shown"}
		}
		w.decide(settings.Agreement{Workspace: folder.Path(), Kind: kind, Path: name, SHA256: sha256, Use: use})
		return None{}, nil
	})
}

// SkipSuggestions decides that nothing is used of what the open folder suggests and nothing is
// decided about.
func (f *Folders) SkipSuggestions() (None, error) {
	return Guard(f.window, func() (None, error) {
		w := f.window
		folder, err := w.openFolder()
		if err != nil {
			return None{}, err
		}
		var skipped []settings.Agreement
		for _, one := range w.listSuggestions().Suggestions {
			if one.Decision == "" {
				skipped = append(skipped, settings.Agreement{
					Workspace: folder.Path(), Kind: string(one.Kind), Path: one.Path, SHA256: one.SHA256,
				})
			}
		}
		w.decide(skipped...)
		return None{}, nil
	})
}

// decide remembers what was decided.
func (w *Window) decide(decided ...settings.Agreement) {
	w.remembered.saveChange(func(s *settings.State) {
		for _, one := range decided {
			s.Agree(one)
		}
	})
	w.stateChanged()
}

// usesSkill reports whether the user agreed to exactly this skill.
func (w *Window) usesSkill(folder string, found skill.Skill) bool {
	use, _ := w.remembered.currentState().Agreed(settings.Agreement{
		Workspace: folder, Kind: string(suggestion.Skill), Path: found.Folder, SHA256: found.SHA256,
	})
	return use
}

// usesInstructions reports whether the user agreed to exactly these instructions.
func (w *Window) usesInstructions(folder string, found workspace.Instructions) bool {
	use, _ := w.remembered.currentState().Agreed(settings.Agreement{
		Workspace: folder, Kind: string(suggestion.Instructions), Path: found.Path, SHA256: found.SHA256,
	})
	return use
}

// listSuggestions returns what the open folder suggested when it was looked at last.
func (w *Window) listSuggestions() SuggestionList {
	found, folder := w.folder.suggestions()
	shown := SuggestionList{Suggestions: []Suggestion{}, More: found.More, LeftOut: append([]skill.LeftOut{}, found.LeftOut...)}
	state := w.remembered.currentState()
	for _, one := range found.Suggestions {
		shown.Suggestions = append(shown.Suggestions, decided(state, folder, one))
	}
	return shown
}

// decided is a suggestion with what was decided about it.
func decided(state settings.State, folder string, found suggestion.Suggestion) Suggestion {
	shown := Suggestion{
		Kind: found.Kind, Path: found.Path, SHA256: found.SHA256, Bytes: found.Bytes, Cut: found.Cut, CanUse: found.CanUse(),
		Skill: found.Skill, Server: found.Server,
	}
	use, known := state.Agreed(settings.Agreement{Workspace: folder, Kind: string(found.Kind), Path: found.Path, SHA256: found.SHA256})
	switch {
	case use:
		shown.Decision = "use"
	case known:
		shown.Decision = "skip"
	}
	return shown
}

// countSuggestions counts them by kind, in the order of suggestion.Kinds; kinds of which there are
// none are left out.
func (w *Window) countSuggestions() []Suggested {
	counted := []Suggested{}
	list := w.listSuggestions().Suggestions
	for _, kind := range suggestion.Kinds() {
		count := Suggested{Kind: kind}
		for _, one := range list {
			if one.Kind != kind {
				continue
			}
			count.All++
			if one.Decision == "" {
				count.Undecided++
			}
		}
		if count.All > 0 {
			counted = append(counted, count)
		}
	}
	return counted
}

// readSuggestion reads one of them, as it is now, and of a skill the file that is asked for.
func (w *Window) readSuggestion(request *http.Request) (any, error) {
	folder, err := w.openFolder()
	if err != nil {
		return nil, err
	}
	query := request.URL.Query()
	kind, name, file := suggestion.Kind(query.Get("kind")), query.Get("path"), query.Get("file")
	var found suggestion.Suggestion
	if kind == suggestion.Skill && file != "" {
		found, err = suggestion.ReadSkill(request.Context(), folder, name, file)
	} else {
		found, err = suggestion.Read(request.Context(), folder, kind, name)
	}
	if err != nil {
		return nil, err
	}
	return SuggestionText{decided(w.remembered.currentState(), folder.Path(), found), found.Text}, nil
}

// suggestions are what one folder suggested when it was looked at last.
type suggestions struct {
	folder *workspace.Folder
	// again has a value while the folder is to be looked at.
	again chan struct{}

	mu    sync.Mutex
	found suggestion.Found
}

func newSuggestions(folder *workspace.Folder) *suggestions {
	s := &suggestions{folder: folder, again: make(chan struct{}, 1)}
	s.lookAgain()
	return s
}

// lookAgain has the folder looked at soon.
func (s *suggestions) lookAgain() {
	select {
	case s.again <- struct{}{}:
	default: // it will be
	}
}

// rest is how long a folder is left alone after it was looked at, in times of what that took.
const rest = 10

// follow looks at the folder whenever it is told to, until ctx ends, and reports changes of what was
// found and failures.
func (s *suggestions) follow(ctx context.Context, changed func(), failed func(error)) {
	for {
		select {
		case <-s.again:
		case <-ctx.Done():
			return
		}
		began := time.Now()
		found, err := suggestion.Find(ctx, s.folder)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			failed(err)
		case s.set(found):
			changed()
		}
		select {
		case <-time.After(rest * time.Since(began)):
		case <-ctx.Done():
			return
		}
	}
}

// set notes what was found, and reports whether that is something new.
func (s *suggestions) set(found suggestion.Found) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	same := found.More == s.found.More && slices.Equal(found.LeftOut, s.found.LeftOut) &&
		slices.EqualFunc(found.Suggestions, s.found.Suggestions, suggestion.Suggestion.Same)
	s.found = found
	return !same
}

// noteChange has the folder looked at again where a change can be of what it suggests.
func (s *suggestions) noteChange(change watch.Change) {
	if change.Full || slices.ContainsFunc(change.Paths, mayBeSuggested) {
		s.lookAgain()
	}
}

// mayBeSuggested reports whether a path can be of something that a folder suggests: all that is not
// instructions lies at or below names that begin with a dot, but for a few files.
func mayBeSuggested(name string) bool {
	atTop := path.Dir(name) == "."
	return workspace.IsInstructions(name) || strings.HasPrefix(name, ".") || atTop && strings.HasPrefix(path.Ext(name), ".json")
}

// suggestions returns what the open folder suggested when it was looked at last, and the folder's
// path.
func (f *shownFolder) suggestions() (found suggestion.Found, folder string) {
	f.mu.Lock()
	opened := f.place
	f.mu.Unlock()
	if opened == nil {
		return suggestion.Found{}, ""
	}
	s := opened.suggested
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.found, s.folder.Path()
}

// lookForSuggestions has the open folder looked at again.
func (f *shownFolder) lookForSuggestions() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.place != nil {
		f.place.suggested.lookAgain()
	}
}
