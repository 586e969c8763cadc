// Package backend wires everything below the entry points: the user's folders and
// log, the broker where questions are answered, the conversations, and for each
// of these a workspace, a model and tools. Window and command line both begin
// here, and the backend knows neither.
package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"

	"github.com/google/uuid"

	"fairlead/backend/approve"
	"fairlead/backend/leftover"
	"fairlead/backend/mcp/host"
	"fairlead/backend/message"
	"fairlead/backend/models"
	"fairlead/backend/sandbox"
	"fairlead/backend/secret"
	"fairlead/backend/session"
	"fairlead/backend/settings"
	"fairlead/backend/store"
	"fairlead/backend/tool/document"
	"fairlead/backend/workspace"
)

// Options are what the whole process is opened with.
type Options struct {
	// Folders are where state is kept.
	Folders settings.Folders
	// LogLevel is debug, info, warn or error.
	LogLevel string
	// Calls are how models are called.
	Calls settings.Calls
	// Keys are the user's keys where some were found before; nil begins with none.
	Keys *secret.Keys
	// ReadableFolders are those beside the system's that commands may read.
	ReadableFolders []string
	// CommandMemory is the most memory that a command may use, in bytes; 0 is half of
	// the computer's.
	CommandMemory uint64
	// UndoSpace is the most space for what is kept to undo changes, in bytes; 0 is what
	// change.KeptLimit takes.
	UndoSpace int64
	// Helper is the program that confines commands; empty for this one.
	Helper string
	// Window says that this is the window: there is one of them on a data folder, and
	// another one gives a *message.Refusal.
	Window bool
	// Version is that of Fairlead, as others are told it.
	Version string
	// ServerChanged is told that an MCP server of a workspace is in another state, from any
	// goroutine; nil for nobody.
	ServerChanged func(workspace, name string)
	// Reading says that what is saved is only read, which is done on a disk that cannot be
	// written too.
	Reading bool
	// Tell takes what the user has to know about what is kept, such as that it was
	// damaged; nil leaves it to the log. It can be called from any goroutine.
	Tell func(string)
}

// Backend is everything below the entry points.
type Backend struct {
	// Folders are where state is kept.
	Folders settings.Folders
	// Redactor knows the keys in use, so that they can be kept out of what is
	// shown and stored.
	Redactor *secret.Redactor
	// Models opens, lists and tests models.
	Models *models.Models
	// Broker holds the open questions and takes the answers.
	Broker *approve.Broker
	// Sessions has the conversations, open and saved.
	Sessions *session.Manager
	// Servers has the user's MCP servers.
	Servers *host.Host

	// Log is the log, with known keys hidden.
	Log *slog.Logger
	// Tell takes what the user has to know; it may be nil.
	Tell func(string)

	// Confinement says how far commands can be confined here. It is found out once,
	// when it is asked for the first time or before.
	Confinement func() *sandbox.System
	ahead       ahead
	// copies tries, once, whether commands can work on a copy of a folder.
	copies func() error

	// documents reads documents for the tools.
	documents *document.Reader
	// left is what this process has made elsewhere for a while.
	left     *leftover.Record
	readable []string
	memory   uint64
	logFile  io.Closer
	// unlock gives the window's lock back; nil where there is none.
	unlock func() error
}

// Open opens the log and the state folders.
func Open(o Options) (*Backend, error) {
	b := &Backend{
		Folders: o.Folders, Redactor: &secret.Redactor{}, Tell: o.Tell,
		Broker: approve.NewBroker(), left: leftover.New(leftoverFolder(o.Folders)),
	}
	b.documents = document.NewReader(filepath.Join(o.Folders.Data, "documents"), b.Redactor.Bytes)
	inspect, err := newInspector(o.Helper, b.left)
	if err != nil {
		return nil, err
	}
	b.Confinement, b.readable, b.memory = sync.OnceValue(inspect), o.ReadableFolders, o.CommandMemory
	b.copies = sync.OnceValue(b.tryCopies)
	b.ahead.inspect = func() { b.Confinement() }
	for _, dir := range []string{o.Folders.Data, o.Folders.State} {
		if err := settings.MakeFolder(dir); err != nil && !o.Reading {
			return nil, err
		}
	}
	if o.Window {
		b.unlock, err = store.LockWindow(o.Folders.Data)
		if errors.Is(err, store.ErrLocked) {
			return nil, &message.Refusal{
				Code: message.Busy, Elsewhere: true,
				Message: fmt.Sprintf("another window of Fairlead is open that keeps its conversations in %s; close one of the two", o.Folders.Data),
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if b.Log, b.logFile, err = settings.OpenLog(o.Folders.State, o.LogLevel, b.Redactor); err != nil && o.Reading {
		b.Log, b.logFile, err = slog.New(slog.DiscardHandler), io.NopCloser(nil), nil
	}
	if err != nil {
		return nil, errors.Join(err, b.unlockWindow())
	}
	keys := o.Keys
	if keys == nil {
		keys = secret.NewKeys()
	}
	b.Models = models.New(models.Options{State: o.Folders.State, Keys: keys, Redactor: b.Redactor, Calls: o.Calls, Log: b.Log})
	b.Sessions = session.NewManager(session.Options{
		DataFolder: o.Folders.Data, OutputsFolder: filepath.Join(o.Folders.Data, "outputs"), ReadOnly: o.Reading, UndoSpace: o.UndoSpace,
		OpenFolder: b.OpenFolder, Redact: b.Redactor.Bytes, NewID: newID, Tell: b.tellUser, Display: displayOf, Log: b.Log,
	})
	b.Servers = b.newServers(o, keys)
	if err := sandbox.Seclude(); err != nil {
		b.Log.Warn("close the process to others", "error", err)
	}
	if err := sandbox.Sweep(b.privateFolder()); err != nil {
		b.Log.Warn("delete what commands of an earlier start left", "error", err)
	}
	return b, nil
}

func (b *Backend) unlockWindow() error {
	if b.unlock == nil {
		return nil
	}
	return b.unlock()
}

// Close cancels every run, waits for their end as long as ctx allows, and closes
// the store and the log.
func (b *Backend) Close(ctx context.Context) error {
	err := errors.Join(b.Sessions.Close(ctx), b.unlockWindow(), b.logFile.Close())
	b.ahead.close()
	return errors.Join(err, b.documents.Close(), b.left.Close())
}

// PrepareDocuments makes the reader of PDF files ready for the first of them, where it is not yet:
// that takes a while, at low priority, and a folder in the data folder keeps it.
func (b *Backend) PrepareDocuments(ctx context.Context) {
	if err := b.documents.Prepare(ctx); err != nil && ctx.Err() == nil {
		b.Log.Warn("make the reader of PDF files ready", "error", err)
	}
}

// tellUser says something to the user.
func (b *Backend) tellUser(text string) {
	if b.Tell != nil {
		b.Tell(text)
	}
}

// newID returns an id that sorts by time.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// OpenFolder opens a workspace to look at, after what a killed Fairlead left there was
// taken away. One that cannot be one gives a *workspace.RefusedError.
func (b *Backend) OpenFolder(dir string) (*workspace.Folder, error) {
	folder, err := workspace.Open(dir, b.ownFolders()...)
	if err != nil {
		return nil, err
	}
	folder.UseRecord(b.left)
	if err := leftover.Sweep(leftoverFolder(b.Folders), folder.Path()); err != nil {
		b.Log.Warn("clean up the folder", "error", err)
	}
	return folder, nil
}

// ownFolders returns the folders that cannot be a workspace, nor hold one.
func (b *Backend) ownFolders() []string {
	return []string{b.Folders.Config, b.Folders.Data, b.Folders.State}
}
