package backend

import (
	"context"
	"errors"

	"fairlead/backend/change"
	"fairlead/backend/session"
	"fairlead/backend/workspace"
)

// useChanges has what a conversation changes in its folder recorded.
func (b *Backend) useChanges(folder *workspace.Folder, id string, kept session.Kept) *change.Recorder {
	changes := change.NewRecorder(change.Options{
		Root: folder.Root(), Path: folder.Path(), SessionID: id, Journal: kept.Changes, Objects: kept.Objects,
		Drafts: b.Sessions.DraftsOf(id), Leftover: b.left, SpaceLeft: b.Sessions.UndoSpaceLeft, NewID: newID, Log: b.Log,
	})
	folder.UseChanges(changes)
	return changes
}

// OpenChanges opens what a saved conversation has changed in its folder, for taking that back
// and making it again. The caller closes it.
func (b *Backend) OpenChanges(ctx context.Context, saved session.Saved) (*session.Changes, error) {
	return b.Sessions.OpenChanges(ctx, saved, b.left, b.OpenFolder)
}

// ReadChanges opens what a saved conversation has changed in its folder, for reading it. The
// caller calls closeAll.
func (b *Backend) ReadChanges(saved session.Saved) (changes *change.Recorder, closeAll func() error, err error) {
	_, changes, closeAll, err = b.readFolder(saved)
	return changes, closeAll, err
}

// ReadSavedDraft is Conversation.ReadDraft for a saved conversation that is not open. The caller
// calls closeAll once the draft is closed.
func (b *Backend) ReadSavedDraft(ctx context.Context, saved session.Saved) (
	draft *session.Draft, changes *change.Recorder, closeAll func() error, err error,
) {
	folder, changes, closeAll, err := b.readFolder(saved)
	if err != nil {
		return nil, nil, nil, err
	}
	if draft, err = session.ReadDraft(ctx, changes, folder.Held); err != nil {
		return nil, nil, nil, errors.Join(err, closeAll())
	}
	return draft, changes, closeAll, nil
}

// readFolder opens the folder of a saved conversation, for reading what it changed there.
func (b *Backend) readFolder(saved session.Saved) (folder *workspace.Folder, changes *change.Recorder, closeAll func() error, err error) {
	folder, err = workspace.Open(saved.Workspace, b.ownFolders()...)
	if err != nil {
		return nil, nil, nil, err
	}
	objects := b.Sessions.Objects(saved.ID)
	changes = change.NewRecorder(change.Options{Root: folder.Root(), Path: folder.Path(), SessionID: saved.ID, Journal: b.Sessions.Journal(), Objects: objects, Drafts: b.Sessions.DraftsOf(saved.ID), Log: b.Log})
	folder.UseChanges(changes)
	return folder, changes, func() error { return errors.Join(folder.Close(), objects.Close()) }, nil
}
