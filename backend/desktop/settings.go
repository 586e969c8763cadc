package desktop

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"

	"fairlead/backend/approve"
	"fairlead/backend/doctor"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/process"
	"fairlead/backend/settings"
)

// Settings is bound to the page: what is set in the settings file, and the files that
// Fairlead keeps of its own.
type Settings struct{ window *Window }

// SettingsList is what the settings file can say and says, and where Fairlead's files are.
type SettingsList struct {
	Settings []Setting `json:"settings"`
	// Folders are where Fairlead keeps its files, File is the settings file among them, and Log
	// the log.
	Config string `json:"config"`
	Data   string `json:"data"`
	State  string `json:"state"`
	File   string `json:"file"`
	Log    string `json:"log"`
	// Fault is why the file cannot be used as it is now; empty where it can. What it said
	// before holds on.
	Fault string `json:"fault"`
}

// Setting is one setting.
type Setting struct {
	settings.Entry
	// Restart says that a change holds from the next start of Fairlead on.
	Restart bool `json:"restart"`
}

// atStart are the settings that are read when the window opens, and not again.
var atStart = []string{"log_level", "readable_folders", "command_memory", "undo_space"}

// guarded are the settings by which a script in the page could send tasks and keys elsewhere
// or let commands read more.
var guarded = []string{"api_key_env", "proxy", "ca_file", "readable_folders"}

// listSettings reads the settings file again, which may have been changed by hand, and lists
// what it says.
func (w *Window) listSettings() SettingsList {
	folders := w.folders
	list := SettingsList{
		Settings: []Setting{}, Config: folders.Config, Data: folders.Data, State: folders.State,
		File: filepath.Join(folders.Config, settings.FileName), Log: settings.LogFile(folders.State),
	}
	if err := w.changeFile(func(string) error { return nil }); err != nil {
		list.Fault = err.Error()
	}
	for _, entry := range w.remembered.settings().List() {
		list.Settings = append(list.Settings, Setting{entry, slices.Contains(atStart, entry.Key)})
	}
	return list
}

// Set writes a setting into the settings file; an empty value takes it out. What loosens
// what keeps tasks and keys is asked about in a native dialog first.
func (s *Settings) Set(key, value string) (None, error) {
	return Guard(s.window, func() (None, error) {
		w := s.window
		list := w.remembered.settings().List()
		at := slices.IndexFunc(list, func(e settings.Entry) bool { return e.Key == key })
		if at < 0 {
			return None{}, &Fault{Code: CodeUsage, Message: fmt.Sprintf("there is no setting %q", key)}
		}
		entry := list[at]
		if entry.From == settings.FromVariable {
			return None{}, &Fault{
				Code: CodeUsage, Message: fmt.Sprintf("%s is set by the variable %s, which goes before the settings file", key, entry.Variable),
				Hint: "unset it and start Fairlead again",
			}
		}
		if value != "" {
			if err := settings.Check(key, value); err != nil {
				return None{}, &Fault{Code: CodeUsage, Message: fmt.Sprintf("%s %v", key, err)}
			}
		}
		if err := w.agreeSetting(entry, value); err != nil {
			return None{}, err
		}
		return None{}, w.changeFile(func(folder string) error { return settings.Set(folder, key, value) })
	})
}

// agreeSetting asks in a native dialog about a value that loosens something.
func (w *Window) agreeSetting(entry settings.Entry, value string) error {
	switch {
	case entry.Key == "dialog":
		return w.agreeDialogs(value)
	case value == "" || value == entry.Value:
		return nil
	case entry.Key == "base_url":
		address, err := catalog.CleanURL(value)
		if err != nil {
			return err
		}
		return w.agreeAddress(address)
	case slices.Contains(guarded, entry.Key):
		return w.askBeforeSaving("the setting "+entry.Key, Dialog{
			Heading: wordingOf(w.language()).saveSetting, Text: dialogText(entry.Key + " = " + value),
		})
	}
	return nil
}

// agreeDialogs asks in a dialog whether there are to be fewer of them.
func (w *Window) agreeDialogs(when string) error {
	levels := []string{dialogNever, dialogBackground, dialogAlways, ""}
	if slices.Index(levels, when) >= slices.Index(levels, w.useDialogs()) {
		return nil
	}
	words := wordingOf(w.language())
	text := words.noDialog
	if when == dialogBackground {
		text = words.background
	}
	return w.askBeforeSaving("the setting dialog", Dialog{Heading: words.fewerDialogs, Text: text})
}

// changeFile changes the settings file and reads it again. What it says then holds from the
// next run on.
func (w *Window) changeFile(change func(folder string) error) error {
	if err := change(w.folders.Config); err != nil {
		return err
	}
	before := w.remembered.settings()
	if err := w.remembered.readFile(); err != nil {
		return err
	}
	file := w.remembered.settings()
	if reflect.DeepEqual(before, file) {
		return nil
	}
	calls, err := file.Calls()
	if err != nil {
		return err
	}
	w.backend.Models.SetCalls(calls)
	if mode := defaultMode(file); mode != defaultMode(before) {
		w.conversations.setApprove("", mode)
	}
	for _, key := range w.keys.TakeEnvironment(w.remembered.keyVariables()) {
		w.backend.Redactor.Add(key.Reveal())
	}
	if holdsOtherwise(before, file) {
		for _, c := range w.conversations.markOutdated() {
			w.closeIdle(c)
		}
	}
	w.stateChanged()
	w.findKey()
	return nil
}

// holdsOtherwise reports whether two files differ in what a conversation is opened with.
func holdsOtherwise(a, b settings.File) bool {
	limitsA, errA := a.Limits()
	limitsB, errB := b.Limits()
	callsA, _ := a.Calls() // what cannot be read was reported
	callsB, _ := b.Calls()
	return errA != nil || errB != nil || !reflect.DeepEqual(limitsA, limitsB) || !reflect.DeepEqual(callsA, callsB) ||
		a.Value("instructions") != b.Value("instructions") ||
		!reflect.DeepEqual(a.ToolPresets(), b.ToolPresets()) || !reflect.DeepEqual(a.ToolDefaults(), b.ToolDefaults())
}

// defaultMode is what is asked about in new conversations: what passes without a question is
// never more than the window can offer.
func defaultMode(file settings.File) approve.Mode {
	if mode := approve.Mode(file.Value("approve")); mode != approve.All {
		return mode
	}
	return approve.Ask
}

// RebuildIndex rebuilds the index of the search.
func (s *Settings) RebuildIndex() (None, error) {
	return Guard(s.window, func() (None, error) { return None{}, s.window.backend.Sessions.RebuildIndex(s.window.ctx) })
}

// The files and folders of Fairlead that the page can have opened, by their names.
const (
	ownFile  = "file"
	ownLog   = "log"
	ownData  = "data"
	ownState = "state"
)

// Open opens one of Fairlead's own files or folders in the user's own program: file for the
// settings file, which is made where there is none, log, data or state.
func (s *Settings) Open(which string) (None, error) {
	return Guard(s.window, func() (None, error) {
		path, err := s.window.ownPath(which)
		if err != nil {
			return None{}, err
		}
		return None{}, process.OpenFile(path, s.window.writableFolders()...)
	})
}

// ownPath returns where one of Fairlead's own files or folders is.
func (w *Window) ownPath(which string) (string, error) {
	switch which {
	case ownLog:
		return settings.LogFile(w.folders.State), nil
	case ownData:
		return w.folders.Data, nil
	case ownState:
		return w.folders.State, nil
	case ownFile:
		return settings.MakeFile(w.folders.Config)
	}
	return "", &Fault{Code: CodeUsage, Message: fmt.Sprintf("Fairlead has no file %q to open", which)}
}

// checkSystem looks at all that a run needs on this computer.
func (w *Window) checkSystem(ctx context.Context) []doctor.Finding {
	file, err := settings.ReadFile(w.folders.Config)
	return doctor.Check(ctx, doctor.Options{
		Folders: w.folders, File: file, FileErr: err, Keys: w.keys, Changes: w.backend.Sessions.CheckChanges,
		Window: doctor.Finding{Name: "window", State: doctor.OK, Detail: "it is open"},
	})
}
