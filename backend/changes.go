package backend

import (
	"context"
	"errors"
	"fmt"

	"fairlead/backend/change"
	"fairlead/backend/sandbox"
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

// ForkAsItWas is session.Changes.Fork, where commands can work on a copy of the folder. Where they cannot,
// a *message.Refusal says why.
func (b *Backend) ForkAsItWas(ctx context.Context, changes *session.Changes, runID string) (session.Saved, *change.Past, error) {
	if why := b.newCopying(changes.Recorder).reason(ctx); why != nil {
		return session.Saved{}, nil, noDraft(why)
	}
	return changes.Fork(ctx, runID)
}

// ReadChanges opens what a saved conversation has changed in its folder, for reading it. The
// caller calls closeAll.
func (b *Backend) ReadChanges(saved session.Saved) (changes *change.Recorder, closeAll func() error, err error) {
	_, changes, closeAll, err = b.readFolder(saved)
	return changes, closeAll, err
}

// OpenDraftChanges mounts the draft of a conversation, unless it is mounted already, to take back what was
// done there. The conversation stays with the caller, who closes the draft first.
func (b *Backend) OpenDraftChanges(changes *session.Changes) (_ *session.Changes, err error) {
	if mounted := changes.MountedDraft(); mounted != nil {
		return mounted, nil
	}
	m := &mountedDraft{}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.close())
		}
	}()
	if m.Draft, err = changes.FindDraft(); err != nil {
		return nil, err
	}
	if m.Draft == nil {
		return nil, session.ErrNoDraft
	}
	open := func(dir string) (*sandbox.Space, error) {
		return b.openPlace(changes.Saved.Workspace, changes.Saved.ID+draftPlace, dir)
	}
	root, err := m.mountLayer(changes.Options, open, b.sweepLeft)
	if err != nil {
		return nil, fmt.Errorf("open the draft: %w", err)
	}
	return changes.InDraft(m.changes, func() error { return errors.Join(m.Note(), root.Close(), m.close()) }), nil
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
