package desktop

import (
	"os"
	"slices"
	"strings"
	"sync"

	"fairlead/backend/approve"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/models"
	"fairlead/backend/settings"
)

// remembered owns what the settings file says, what the window remembers between two
// starts, and what the user is told of both.
type remembered struct {
	folders settings.Folders
	// write writes the state, and failed takes its error, which costs only memory of a
	// change.
	write  func(settings.State) error
	failed func(error)

	// mu guards what follows. Nobody who holds it waits for anything.
	mu        sync.Mutex
	file      settings.File
	providers catalog.Catalog // the known ones and those of the file
	state     settings.State
	warnings  []string
	// changes counts the changes of the state, and saved those that are in its file. One
	// caller at a time writes that, which saving reports; next is signalled after it.
	changes, saved int
	saving         bool
	next           *sync.Cond
}

// newRemembered reads both files. What is wrong with them is a warning.
func newRemembered(folders settings.Folders, failed func(error)) *remembered {
	r := &remembered{folders: folders, failed: failed, providers: models.Providers(settings.File{})}
	r.write = func(state settings.State) error { return state.Write(folders.State) }
	r.next = sync.NewCond(&r.mu)
	if err := r.readFile(); err != nil {
		r.addWarning(err.Error())
	}
	var err error
	if r.state, err = settings.ReadState(folders.State); err != nil {
		r.addWarning(err.Error())
	}
	return r
}

// readFile reads the settings file. One that cannot be used changes nothing.
func (r *remembered) readFile() error {
	file, err := settings.ReadFile(r.folders.Config)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.file, r.providers = file, models.Providers(file)
	return nil
}

// settings are what the settings file says.
func (r *remembered) settings() settings.File {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.file
}

// catalog are the providers to choose from.
func (r *remembered) catalog() catalog.Catalog {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.providers
}

// currentState returns what the window remembers.
func (r *remembered) currentState() settings.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.copyState()
}

// copyState returns the state, which no later change reaches. The caller holds mu.
func (r *remembered) copyState() settings.State {
	state := r.state
	state.Recent, state.Favourites = slices.Clone(state.Recent), slices.Clone(state.Favourites)
	state.RecentModels, state.Silent, state.Modes = slices.Clone(state.RecentModels), slices.Clone(state.Silent), slices.Clone(state.Modes)
	state.Addresses, state.Agreements = slices.Clone(state.Addresses), slices.Clone(state.Agreements)
	return state
}

// addWarning adds a warning.
func (r *remembered) addWarning(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warnings = append(r.warnings, text)
}

// listWarnings returns the warnings so far.
func (r *remembered) listWarnings() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string{}, r.warnings...)
}

// noteChange changes what is remembered; save writes it.
func (r *remembered) noteChange(change func(*settings.State)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.state)
	r.changes++
}

// save returns when every change so far is in the file, or could not be written.
func (r *remembered) save() {
	r.mu.Lock()
	wanted := r.changes
	for r.saving && r.saved < wanted {
		r.next.Wait()
	}
	if r.saved >= wanted {
		r.mu.Unlock()
		return
	}
	r.saving = true
	state, written := r.copyState(), r.changes
	r.mu.Unlock()
	if err := r.write(state); err != nil {
		r.failed(err)
	}
	r.mu.Lock()
	r.saving, r.saved = false, written
	r.next.Broadcast()
	r.mu.Unlock()
}

// saveChange changes what is remembered and saves it.
func (r *remembered) saveChange(change func(*settings.State)) {
	r.noteChange(change)
	r.save()
}

// language is the one that the user chose, or the system's.
func (r *remembered) language() string {
	if chosen := r.currentState().Language; chosen != "" {
		return chosen
	}
	if strings.HasPrefix(systemLanguage(), "zh") {
		return "zh-CN"
	}
	return "en"
}

// hasAgreed reports whether the user agreed to an address, in the window or in the settings
// file.
func (r *remembered) hasAgreed(address string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	file, _ := catalog.CleanURL(r.file.Value("base_url")) // one that cannot be used is none
	return address == file || slices.Contains(r.state.Addresses, address)
}

// chosenEndpoint returns the model to begin a conversation with, the guided tour's or the user's.
func (r *remembered) chosenEndpoint(tour bool) (catalog.Endpoint, error) {
	if tour {
		return catalog.Catalog{}.Choose(catalog.Choice{Provider: catalog.Demo}, os.Getenv)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	model := r.state.Model
	chosen := catalog.Choice{Provider: model.Provider, BaseURL: model.BaseURL, Model: model.Model, Effort: model.Effort}
	if chosen.Model == "" {
		chosen = fileChoice(r.file)
	}
	if chosen.Model == "" {
		return catalog.Endpoint{}, &Fault{Code: CodeNoModel, Message: "no model is chosen", Hint: "choose one"}
	}
	return r.providers.Choose(chosen, os.Getenv)
}

// fileChoice returns the model that the settings file names; without one nothing is chosen.
func fileChoice(file settings.File) catalog.Choice {
	return catalog.Choice{
		Provider: file.Value("provider"), BaseURL: file.Value("base_url"), Model: file.Value("model"), KeyEnv: file.Value("api_key_env"),
	}
}

// keyVariables are those that hold keys. No program that the window or its library
// starts inherits them: the web engine, dialogs, commands.
func (r *remembered) keyVariables() []string {
	variables := []string{fileChoice(r.settings()).KeyEnv}
	for _, p := range r.catalog().Providers() {
		variables = append(variables, p.KeyEnv)
	}
	return variables
}

// modes are what is asked about in conversations, by their ids, as far as that is remembered.
func (r *remembered) modes() map[string]approve.Mode {
	modes := map[string]approve.Mode{}
	for _, chosen := range r.currentState().Modes {
		if mode := approve.Mode(chosen.Approve); slices.Contains(offered, mode) {
			modes[chosen.Session] = mode
		}
	}
	return modes
}

// noteMode notes what is asked about in a conversation; save writes it.
func (r *remembered) noteMode(id string, mode approve.Mode) {
	r.noteChange(func(s *settings.State) {
		s.ChooseMode(settings.SessionMode{Session: id, Approve: string(mode)})
	})
}
