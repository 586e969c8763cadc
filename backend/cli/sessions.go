package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"fairlead/backend"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/settings"
)

// sessionsCommand works on saved conversations.
type sessionsCommand struct {
	List      listSessions     `cmd:"" default:"withargs" help:"List the conversations, those last worked on first."`
	Show      showSession      `cmd:"" help:"Print what was said and done in a conversation."`
	Export    exportSession    `cmd:"" help:"Write a conversation as Markdown, or its events as JSON lines."`
	Fork      forkSession      `cmd:"" help:"Begin a conversation with what another one held before a task."`
	Rename    renameSession    `cmd:"" help:"Give a conversation another title."`
	Pin       pinSession       `cmd:"" help:"Keep a conversation at the top of the window's list."`
	Unpin     unpinSession     `cmd:"" help:"List a conversation by its day again."`
	Archive   archiveSession   `cmd:"" help:"Archive a conversation; its next task brings it back."`
	Unarchive unarchiveSession `cmd:"" help:"Bring an archived conversation back."`
	Delete    deleteSession    `cmd:"" help:"Delete a conversation, with the full outputs of its calls."`
	Rescue    rescueSessions   `cmd:"" help:"Add the conversations that can be read of a damaged file, or of a copy."`

	DataDir string `placeholder:"DIR" help:"Keep all state in this folder."`
}

// sessionLine is a conversation as JSON.
type sessionLine struct {
	ID        string    `json:"id"`
	Workspace string    `json:"workspace"`
	Title     string    `json:"title"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	// Reason is why the last run ended; empty while it is running.
	Reason   message.Reason `json:"reason"`
	Pinned   bool           `json:"pinned"`
	Archived bool           `json:"archived"`
}

func lineOf(s session.Saved) sessionLine {
	return sessionLine{
		ID: s.ID, Workspace: s.Workspace, Title: s.Title, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt, Reason: s.Reason,
		Pinned: s.Pinned, Archived: s.Archived,
	}
}

// withLibrary opens the backend for a command that works on saved conversations.
func withLibrary(with *surroundings, do func(context.Context, *backend.Backend) error) error {
	return withBackend(with, false, do)
}

// toRead opens the backend for a command that only reads saved conversations.
func toRead(with *surroundings, do func(context.Context, *backend.Backend) error) error {
	return withBackend(with, true, do)
}

func withBackend(with *surroundings, reading bool, do func(context.Context, *backend.Backend) error) error {
	b, err := openBackend(with, settings.Default("log_level"), reading)
	if err != nil {
		return err
	}
	ctx := context.Background()
	return errors.Join(do(ctx, b), b.Close(ctx))
}

// listed is the number of conversations that a list shows.
const listed = 10_000

type listSessions struct {
	Workspace string `placeholder:"DIR" help:"Only the conversations of this folder."`
	Archived  bool   `help:"The archived conversations in place of the others."`
	Output    string `default:"text" enum:"text,json" placeholder:"FORM" help:"text, or json: one list."`
}

// Run lists conversations.
func (c *listSessions) Run(with *surroundings) error {
	folder := c.Workspace
	if folder != "" {
		var err error
		if folder, err = realPath(folder); err != nil {
			return err
		}
	}
	return toRead(with, func(ctx context.Context, b *backend.Backend) error {
		which, none := session.Current, "There are no saved conversations."
		if c.Archived {
			which, none = session.Archived, "There are no archived conversations."
		}
		saved, err := b.Sessions.List(ctx, folder, which, listed)
		if err != nil {
			return err
		}
		if c.Output == "json" {
			lines := make([]sessionLine, len(saved))
			for i := range saved {
				lines[i] = lineOf(saved[i])
			}
			return writeJSON(with.streams.Out, lines)
		}
		if len(saved) == 0 {
			_, err := fmt.Fprintln(with.streams.Err, none)
			return err
		}
		for _, s := range saved {
			_, err := fmt.Fprintf(with.streams.Out, "%s  %s  %s  %s\n",
				s.ID, s.UpdatedAt.Local().Format("2006-01-02 15:04"), message.Visible(s.Title), message.Visible(s.Workspace))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

type showSession struct {
	ID     string `arg:"" help:"The conversation's id, or last."`
	Output string `default:"text" enum:"text,json" placeholder:"FORM" help:"text, or json: the conversation with its messages."`
}

// Run prints a conversation.
func (c *showSession) Run(with *surroundings) error {
	return toRead(with, func(ctx context.Context, b *backend.Backend) error {
		saved, err := b.Sessions.Find(ctx, c.ID, "")
		if err != nil {
			return err
		}
		messages := b.Sessions.EachMessage(ctx, saved.ID)
		if c.Output == "json" {
			whole := func(m message.Message) (message.Message, error) { return b.Sessions.WithData(ctx, m) }
			return writeSession(with.streams.Out, lineOf(saved), messages, whole)
		}
		return session.WriteMarkdown(readableWriter{with.streams.Out, message.Visible}, saved, messages)
	})
}

type exportSession struct {
	ID   string `arg:"" help:"The conversation's id, or last."`
	Form string `default:"markdown" enum:"markdown,jsonl" placeholder:"FORM" help:"markdown, or jsonl: all events, one a line, as run --output jsonl writes them."`
}

// Run writes a conversation to standard output.
func (c *exportSession) Run(with *surroundings) error {
	return toRead(with, func(ctx context.Context, b *backend.Backend) error {
		saved, err := b.Sessions.Find(ctx, c.ID, "")
		if err != nil {
			return err
		}
		if c.Form == "jsonl" {
			return exportEvents(ctx, b, saved, with.streams.Out)
		}
		return session.WriteMarkdown(readableWriter{with.streams.Out, message.Harmless}, saved, b.Sessions.EachMessage(ctx, saved.ID))
	})
}

func exportEvents(ctx context.Context, b *backend.Backend, saved session.Saved, out io.Writer) error {
	runs, err := b.Sessions.Runs(ctx, saved.ID)
	if err != nil {
		return err
	}
	lines := jsonl{out, io.Discard, func(string) bool { return false }}
	for _, run := range runs {
		for e, err := range b.Sessions.EachEvent(ctx, run, 0) {
			if err == nil {
				e, err = b.Sessions.EventWithData(ctx, e)
			}
			if err != nil {
				return err
			}
			if err := lines.write([]event.Event{e}); err != nil {
				return fmt.Errorf("write the events: %w", err)
			}
		}
	}
	return nil
}

type renameSession struct {
	ID    string `arg:"" help:"The conversation's id, or last."`
	Title string `arg:"" help:"The new title."`
}

// Run renames a conversation.
func (c *renameSession) Run(with *surroundings) error {
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) error {
		title := oneLine(c.Title)
		if title == "" {
			return &usageError{problem: "the title is empty", hint: "give a title in quotes"}
		}
		saved, err := b.Sessions.Find(ctx, c.ID, "")
		if err != nil {
			return err
		}
		return b.Sessions.Rename(ctx, saved.ID, title)
	})
}

type deleteSession struct {
	ID string `arg:"" help:"The conversation's id."`
}

// Run deletes a conversation.
func (c *deleteSession) Run(with *surroundings) error {
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) error {
		if c.ID == session.Last {
			return &usageError{problem: "a conversation is deleted by its id", hint: "fairlead sessions list shows the ids"}
		}
		if err := b.Sessions.Delete(ctx, c.ID); err != nil {
			return err
		}
		_, err := fmt.Fprintf(with.streams.Err, "Conversation %s is deleted.\n", c.ID)
		return err
	})
}

type rescueSessions struct {
	File string `arg:"" help:"The file of conversations, such as one that was set aside. It is only read."`
}

// Run adds the conversations of a file.
func (c *rescueSessions) Run(with *surroundings) error {
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) error {
		found, err := b.Sessions.Rescue(ctx, c.File)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(with.streams.Out, "read:  %s\nlost:  %s, as far as the numbers of the rest tell\n"+
			"added: %d, and %d beside another state of the same conversation; %d were there already\n",
			found.Saved, found.Lost, found.Added, found.Both, found.Known)
		return err
	})
}

func writeJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// writeSession writes a conversation as JSON, one message after the other, each as whole
// makes it: as writeJSON would write a list of them all.
func writeSession(out io.Writer, line sessionLine, messages iter.Seq2[message.Message, error],
	whole func(message.Message) (message.Message, error),
) error {
	var head bytes.Buffer
	if err := writeJSON(&head, line); err != nil {
		return err
	}
	text := strings.TrimSuffix(head.String(), "\n}\n") + ",\n  \"messages\": "
	next, end := "[\n    ", "null\n}\n"
	for m, err := range messages {
		if err == nil {
			m, err = whole(m)
		}
		if err != nil {
			return err
		}
		var body bytes.Buffer
		encoder := json.NewEncoder(&body)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("    ", "  ")
		if err := encoder.Encode(m); err != nil {
			return fmt.Errorf("write message %s: %w", m.ID, err)
		}
		if _, err := io.WriteString(out, text+next+strings.TrimSuffix(body.String(), "\n")); err != nil {
			return fmt.Errorf("write the conversation: %w", err)
		}
		text, next, end = "", ",\n    ", "\n  ]\n}\n"
	}
	if _, err := io.WriteString(out, text+end); err != nil {
		return fmt.Errorf("write the conversation: %w", err)
	}
	return nil
}

// readableWriter makes control characters readable: what a model wrote must not reach a
// terminal as an order. Each Write gives it whole characters.
type readableWriter struct {
	out      io.Writer
	readable func(text string) string
}

func (w readableWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.out, w.readable(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
