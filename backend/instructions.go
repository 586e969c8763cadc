package backend

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/workspace"
)

// readInstructions are what the model is told beside its task. Project instructions and
// notes that cannot be read are left out: the task does not depend on them.
func (b *Backend) readInstructions(folder *workspace.Folder, task Task) session.Instructions {
	given := session.Instructions{User: task.Instructions}
	if task.usesMemory() {
		notes, err := b.Memory(folder.Path()).Read()
		if err != nil {
			b.Log.Warn("read the memory of the folder", "error", err)
		}
		given.Memory = notes.Prompt()
	}
	if task.UseInstructions == nil {
		return given
	}
	found, err := folder.Instructions(".")
	if err != nil {
		b.Log.Warn("read project instructions", "error", err)
	} else if found.Text != "" && task.UseInstructions(folder.Path(), found) {
		given.Project, given.Path = found.Text, found.Path
	}
	return given
}

// HashInstructions returns the SHA-256 of all instructions in the conversation's folder, as they
// are now, in hexadecimal and by path.
func (c *Conversation) HashInstructions(ctx context.Context) (map[string]string, error) {
	found, _, err := c.folder.FindInstructions(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for instructions: %w", err)
	}
	hashes := map[string]string{}
	for _, one := range found {
		hashes[one.Path] = one.SHA256
	}
	return hashes, nil
}

// nearbyInstructions looks for the instructions near what the calls of one run touch.
type nearbyInstructions struct {
	backend *Backend
	folder  func() *workspace.Folder
	agreed  func(workspace.Instructions) bool
	// top are those at the top of the workspace, which the model has from the start.
	top session.Instructions
	// seen are the folders that were looked into.
	seen map[string]bool
}

// lookNearby returns what looks for the instructions near what the calls of a run touch, in the
// folder that the run works on then.
func (b *Backend) lookNearby(folder func() *workspace.Folder, task Task, top session.Instructions) session.LookNearby {
	if task.UseInstructions == nil {
		return nil
	}
	n := &nearbyInstructions{
		backend: b, folder: folder, top: top, seen: map[string]bool{},
		agreed: func(found workspace.Instructions) bool { return task.UseInstructions(folder().Path(), found) },
	}
	return n.look
}

// look returns the instructions for what a call touched, the farthest first.
func (n *nearbyInstructions) look(touched []string, given []message.InstructionsFile) (nearby session.Nearby) {
	folder := n.folder()
	for _, name := range touched {
		place, err := folder.Locate(name)
		if err != nil {
			continue // the call has said so
		}
		for _, dir := range foldersTo(place) {
			written := workspace.IsInstructions(place.Path) && path.Dir(place.Path) == dir
			if n.seen[dir] && !written { // what the call is about may have been made by it
				continue
			}
			n.seen[dir] = true
			n.lookInto(folder, dir, slices.Concat(given, filesOf(nearby.Texts)), &nearby)
		}
	}
	return nearby
}

// foldersTo are the folders below the top of the workspace that a place lies in, the farthest
// first, and the place itself where it is a folder.
func foldersTo(place workspace.Place) (folders []string) {
	names := strings.Split(place.Path, "/")
	if place.Info == nil || !place.Info.IsDir() {
		names = names[:len(names)-1]
	}
	for i := range names {
		if dir := path.Join(names[:i+1]...); dir != "." {
			folders = append(folders, dir)
		}
	}
	return folders
}

// lookInto adds the instructions in a folder, unless the model has them.
func (n *nearbyInstructions) lookInto(folder *workspace.Folder, dir string, given []message.InstructionsFile, nearby *session.Nearby) {
	found, err := folder.Instructions(dir)
	if err != nil {
		n.backend.Log.Warn("read project instructions", "folder", dir, "error", err)
		return
	}
	if found.Text == "" || found.Text == n.top.Project { // a link to those that the model has says nothing more
		return
	}
	left := workspace.MaxInstructions - len(n.top.Project)
	for _, file := range given {
		if file.SHA256 == found.SHA256 {
			return
		}
		left -= file.Bytes
	}
	note := func(code message.NoticeCode) {
		nearby.Notices = append(nearby.Notices, message.Notice{Code: code, Data: message.NoticeData{Path: found.Path}})
	}
	switch {
	case !n.agreed(found):
		note(message.NoticeInstructionsLeftOut)
	case len(found.Text) > left: // a part of it could say something else than the whole
		note(message.NoticeInstructionsFull)
	default:
		note(message.NoticeInstructions)
		nearby.Texts = append(nearby.Texts, session.NearbyText{
			File: message.InstructionsFile{Path: found.Path, SHA256: found.SHA256, Bytes: len(found.Text)}, Text: found.Text,
		})
	}
}

// filesOf are the files of texts.
func filesOf(texts []session.NearbyText) (files []message.InstructionsFile) {
	for _, text := range texts {
		files = append(files, text.File)
	}
	return files
}
