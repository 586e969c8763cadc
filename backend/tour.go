package backend

import (
	"errors"
	"fmt"
	"path/filepath"

	"fairlead/backend/change"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/demo"
	"fairlead/backend/session"
	"fairlead/backend/workspace"
)

// Tour is a guided tour that is ready to begin.
type Tour struct {
	// Folder is its sample workspace.
	Folder string
	// Prompt is its task.
	Prompt string
	// Label says that no model is running.
	Label string
}

const tourLabel = "[guided tour] scripted: no model is running and nothing is sent. " +
	"The loop, the tools, the questions and the files are the real ones."

// PrepareTour writes the tour's sample files into dir, which must be empty, or
// into a new temporary folder when dir is "".
func (b *Backend) PrepareTour(dir string) (*Tour, error) {
	if dir == "" {
		var err error
		if dir, err = workspace.MakeTemporary("fairlead-tour-"); err != nil {
			return nil, err
		}
	}
	folder, err := b.OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	tour := &Tour{Folder: folder.Path(), Prompt: demo.Prompt, Label: tourLabel}
	id := newID()
	objects := change.OpenObjects(filepath.Join(b.Folders.Data, "changes", id))
	b.useChanges(folder, id, session.Kept{Objects: objects, Changes: &change.Memory{}})
	return tour, errors.Join(writeSample(folder), folder.Close(), objects.Remove())
}

func writeSample(folder *workspace.Folder) error {
	empty, err := folder.Empty()
	if err != nil {
		return err
	}
	if !empty {
		return &catalog.UsageError{
			Message: fmt.Sprintf("the guided tour writes sample files, but %s is not empty", folder.Path()),
			Hint:    "give it an empty folder, or none: it makes one of its own",
		}
	}
	if err := demo.WriteSample(folder.Write); err != nil {
		return fmt.Errorf("write the tour's sample files: %w", err)
	}
	return nil
}
