package desktop

import (
	"fairlead/backend/settings"
	"fairlead/backend/workspace"
)

// Instructions are what the project in the open folder tells models.
type Instructions struct {
	// Path is their file.
	Path string `json:"path"`
	// Bytes is its length.
	Bytes int `json:"bytes"`
	// Decision is what the user decided about this text: use, skip, or nothing yet.
	Decision string `json:"decision"`
}

// UseInstructions decides whether the model is given the instructions of the project
// in the open folder, as they are now.
func (f *Folders) UseInstructions(use bool) (None, error) {
	return Guard(f.window, func() (None, error) {
		w := f.window
		folder, err := w.openFolder()
		if err != nil {
			return None{}, err
		}
		found, err := folder.Instructions()
		if err != nil {
			return None{}, err
		}
		w.remembered.saveChange(func(s *settings.State) {
			s.DecideInstructions(settings.InstructionsChoice{Workspace: folder.Path(), SHA256: found.SHA256, Use: use})
		})
		w.stateChanged()
		return None{}, nil
	})
}

// readInstructions reads those of the open folder; nil where it has none that can be read.
func (w *Window) readInstructions(folder *workspace.Folder) *Instructions {
	found, err := folder.Instructions()
	if err != nil {
		w.log.Debug("read project instructions", "error", err)
		return nil
	}
	if found.Text == "" {
		return nil
	}
	shown := &Instructions{Path: found.Path, Bytes: found.Bytes}
	state := w.remembered.currentState()
	use, decided := state.UseInstructions(folder.Path(), found.SHA256)
	switch {
	case use:
		shown.Decision = "use"
	case decided:
		shown.Decision = "skip"
	}
	return shown
}

// usesInstructions reports whether the user agreed to exactly these instructions.
func (w *Window) usesInstructions(folder string, found workspace.Instructions) bool {
	state := w.remembered.currentState()
	use, _ := state.UseInstructions(folder, found.SHA256)
	return use
}
