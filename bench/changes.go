package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"fairlead/backend/change"
	"fairlead/backend/event"
	"fairlead/backend/store"
	"fairlead/backend/workspace"
)

const (
	// changedFiles is how many files the folder has that is looked at, changedFolders in how
	// many folders.
	changedFiles, changedFolders = 20_000, 1_000
	// changeTimes is how often a file is written, and the folder looked at.
	changeTimes = 41
	// deletedFiles of deletedSize bytes each are deleted and brought back.
	deletedFiles, deletedSize = 40, 128 << 20
)

// changed is a folder whose changes are recorded.
type changed struct {
	folder   *workspace.Folder
	recorder *change.Recorder
	close    []func() error
}

func (c *changed) closeAll() (err error) {
	for i := len(c.close) - 1; i >= 0; i-- {
		err = errors.Join(err, c.close[i]())
	}
	return err
}

func openChanged(ctx context.Context, base string) (c *changed, err error) {
	dir, data := filepath.Join(base, "work"), filepath.Join(base, "data")
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.MkdirAll(data, 0o700)); err != nil {
		return nil, err
	}
	c = &changed{close: []func() error{func() error { return os.RemoveAll(base) }}}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.closeAll())
		}
	}()
	saved, _, err := store.Open(ctx, store.Options{Folder: data, Redact: func(text []byte) []byte { return text }})
	if err != nil {
		return nil, err
	}
	c.close = append(c.close, saved.Close)
	stream := event.NewKeptStream("run", "session", saved.Record(ctx, store.Session{ID: "session", Workspace: dir}), func(fault *event.NotKeptError) { err = fault })
	stream.Publish(event.LifecycleStart{Prompt: "change it"})
	if c.folder, err = workspace.Open(dir); err != nil {
		return nil, err
	}
	c.close = append(c.close, c.folder.Close)
	objects := change.OpenObjects(filepath.Join(data, "changes"))
	c.close = append(c.close, objects.Close)
	var sets atomic.Int64
	c.recorder = change.NewRecorder(change.Options{
		Root: c.folder.Root(), Path: c.folder.Path(), SessionID: "session", Journal: saved, Objects: objects, Log: slog.New(slog.DiscardHandler),
		NewID: func() string { return fmt.Sprintf("set%06d", sets.Add(1)) },
	})
	c.close = append(c.close, c.recorder.Close)
	c.folder.UseChanges(c.recorder)
	return c, nil
}

// changesRows measure what it costs that changes can be taken back.
func changesRows(ctx context.Context, m *machine) (rows []figure, err error) {
	c, err := openChanged(ctx, filepath.Join(m.home, "changed"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.closeAll()) }()
	write, err := writeFigure(c)
	if err != nil {
		return nil, err
	}
	removed, err := deleteFigures(ctx, c)
	if err != nil {
		return nil, err
	}
	look, err := lookFigure(ctx, c, m.unit)
	return append(removed, write, look), err
}

// writeFigure is a write of 4 KB in the place of another one. The floor writes it as it was
// written before changes were recorded, and syncs what is synced besides: the old file, a
// record, and the folder of the objects before and after.
func writeFigure(c *changed) (figure, error) {
	text := make([]byte, 4<<10)
	for i := range text {
		text[i] = 'a' + byte(i%26)
	}
	if err := c.folder.Write("file", text); err != nil {
		return figure{}, err
	}
	plain := filepath.Join(c.folder.Path(), "..", "plain")
	if err := errors.Join(os.MkdirAll(plain, 0o700), os.WriteFile(filepath.Join(plain, "file"), text, 0o600)); err != nil {
		return figure{}, err
	}
	record, err := os.Create(filepath.Join(plain, "record"))
	if err != nil {
		return figure{}, err
	}
	defer func() { _ = record.Close() }()
	var took [2][]time.Duration
	for i := range changeTimes {
		copy(text, strconv.Itoa(i))
		began := time.Now()
		if err := writePlain(plain, record, text); err != nil {
			return figure{}, err
		}
		took[0] = append(took[0], time.Since(began))
		began = time.Now()
		if err := c.folder.Write("file", text); err != nil {
			return figure{}, err
		}
		took[1] = append(took[1], time.Since(began))
	}
	floor, recorded := medianValue(took[0]), medianValue(took[1])
	return durationFigure("write of 4 KB, recorded", "floor + 1.5 ms", floor, recorded, floor+1500*time.Microsecond), nil
}

func writePlain(dir string, record *os.File, text []byte) error {
	old, err := os.Open(filepath.Join(dir, "file"))
	if err != nil {
		return err
	}
	defer func() { _ = old.Close() }()
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	fresh, err := os.CreateTemp(dir, "new")
	if err != nil {
		return err
	}
	_, err = fresh.Write(text)
	err = errors.Join(err, fresh.Sync(), fresh.Close(), old.Sync(), folder.Sync())
	if _, writeErr := record.Write(text); err == nil {
		err = errors.Join(writeErr, record.Sync())
	}
	if err == nil {
		err = os.Rename(fresh.Name(), filepath.Join(dir, "file"))
	}
	return errors.Join(err, folder.Sync(), folder.Sync())
}

// deleteFigures are the deletion of a folder with 5 GB, and its undo.
func deleteFigures(ctx context.Context, c *changed) ([]figure, error) {
	dir := filepath.Join(c.folder.Path(), "large")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	text := make([]byte, 1<<20)
	for i := range deletedFiles {
		file, err := os.Create(filepath.Join(dir, strconv.Itoa(i)))
		if err != nil {
			return nil, err
		}
		for range deletedSize / len(text) {
			if _, err := file.Write(text); err != nil {
				return nil, errors.Join(err, file.Close())
			}
		}
		if err := errors.Join(file.Sync(), file.Close()); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	place, err := c.folder.Removable("large")
	if err != nil {
		return nil, err
	}
	entries, err := c.folder.Entries(ctx, place)
	if err != nil {
		return nil, err
	}
	if _, err := c.folder.Delete(ctx, "delete", place, entries); err != nil {
		return nil, err
	}
	deleted := time.Since(began)
	began = time.Now()
	scope := change.Scope{Calls: []string{"delete"}}
	plan, err := c.recorder.PlanUndo(ctx, scope)
	if err != nil {
		return nil, err
	}
	done, err := c.recorder.CarryOut(ctx, plan)
	if err != nil || len(done.Kept) > 0 {
		return nil, errors.Join(err, fmt.Errorf("%d paths stayed", len(done.Kept)))
	}
	undone := time.Since(began)
	return []figure{
		durationFigure("deletion of 5 GB", "", 0, deleted, time.Second),
		durationFigure("undo of a deletion of 5 GB", "", 0, undone, time.Second),
	}, os.RemoveAll(dir)
}

// lookFigure is one look at a folder of many files, of two around a command that changes
// nothing.
func lookFigure(ctx context.Context, c *changed, unit time.Duration) (figure, error) {
	for i := range changedFiles {
		in := filepath.Join(c.folder.Path(), fmt.Sprint(i%changedFolders))
		if err := os.MkdirAll(in, 0o700); err != nil {
			return figure{}, err
		}
		if err := os.WriteFile(filepath.Join(in, fmt.Sprint(i)), []byte("a line\n"), 0o600); err != nil {
			return figure{}, err
		}
	}
	var took []time.Duration
	for i := range changeTimes {
		began := time.Now()
		command, err := c.recorder.BeginCommand(ctx, "look")
		if err != nil {
			return figure{}, err
		}
		set, err := command.End(ctx)
		if err != nil {
			return figure{}, err
		}
		if set != nil {
			return figure{}, errors.New("a look says that something changed where nothing did")
		}
		if i > 0 { // the first reads all contents
			took = append(took, time.Since(began)/2)
		}
	}
	return durationFigure("look at 20,000 files", "27 E", 0, medianValue(took), 27*unit), nil
}
