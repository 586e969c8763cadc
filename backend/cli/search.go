package cli

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"fairlead/backend"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// searchCommand finds a text in the saved conversations.
type searchCommand struct {
	Text      string `arg:"" optional:"" help:"The text: two characters or more, in any case. It is found in titles, in what was said, in commands, and in paths that were changed."`
	Workspace string `placeholder:"DIR" help:"Only the conversations of this folder."`
	Limit     int    `default:"50" placeholder:"N" help:"Show at most so many places."`
	JSON      bool   `name:"json" help:"Print one JSON object."`
	Rebuild   bool   `help:"Make the search index anew, which is needed only where something that is there is not found."`

	DataDir string `placeholder:"DIR" help:"Keep all state in this folder."`
}

// foundLines are what was found, as JSON.
type foundLines struct {
	// Titles are the conversations whose title has the text.
	Titles []sessionLine `json:"titles"`
	// Passages are places in messages, the newest first; More says that there are others.
	Passages []passageLine `json:"passages"`
	More     bool          `json:"more"`
}

type passageLine struct {
	SessionID string `json:"sessionId"`
	Title     string `json:"title"`
	Workspace string `json:"workspace"`
	RunID     string `json:"runId"`
	MessageID string `json:"messageId"`
	PartID    string `json:"partId"`
	// Role is who said it, and ToolName the tool of the call that it is about; absent for what was said.
	Role     message.Role `json:"role"`
	ToolName string       `json:"toolName,omitempty"`
	At       time.Time    `json:"at"`
	// Match is what was found, with what is before and after it.
	Before string `json:"before"`
	Match  string `json:"match"`
	After  string `json:"after"`
}

// indexTime is how long a search adds to the index before it looks: what is left then is read.
const indexTime = time.Second

// Run finds a text.
func (c *searchCommand) Run(with *surroundings) error {
	folder := c.Workspace
	if folder != "" {
		var err error
		if folder, err = realPath(folder); err != nil {
			return err
		}
	}
	c.Text = strings.TrimSpace(c.Text)
	switch {
	case c.Text == "" && c.Rebuild:
	case utf8.RuneCountInString(c.Text) < session.ShortestQuery:
		return &usageError{problem: "the text to search for has fewer than two characters", hint: "give a longer one, in quotes where it has spaces"}
	case c.Limit < 1:
		return &usageError{problem: fmt.Sprintf("--limit is %d", c.Limit), hint: "give a number from 1 on"}
	}
	open := toRead
	if c.Rebuild {
		open = withLibrary
	}
	return open(with, func(ctx context.Context, b *backend.Backend) error {
		if c.Rebuild {
			if err := b.Sessions.RebuildIndex(ctx); err != nil || c.Text == "" {
				return err
			}
		} else if _, err := b.Sessions.IndexNew(ctx, indexTime); err != nil {
			if _, err := fmt.Fprintf(with.streams.Err, "The search index cannot be used, so the search takes longer: %v\n", err); err != nil {
				return err
			}
		}
		found, err := b.Sessions.Search(ctx, session.Query{Text: c.Text, Workspace: folder, Most: c.Limit})
		if err != nil {
			return err
		}
		if c.JSON {
			return writeJSON(with.streams.Out, linesOf(found))
		}
		return writeFound(with.streams, found)
	})
}

func linesOf(found session.Found) foundLines {
	lines := foundLines{Titles: []sessionLine{}, Passages: []passageLine{}, More: found.More}
	for _, s := range found.Titles {
		lines.Titles = append(lines.Titles, lineOf(s))
	}
	for _, p := range found.Passages {
		in := found.Sessions[p.SessionID]
		lines.Passages = append(lines.Passages, passageLine{
			SessionID: p.SessionID, Title: in.Title, Workspace: in.Workspace, RunID: p.RunID, MessageID: p.MessageID, PartID: p.PartID,
			Role: p.Role, ToolName: p.Tool, At: p.At, Before: p.Before, Match: p.Match, After: p.After,
		})
	}
	return lines
}

// writeFound prints what was found: conversations, each with the places in it that follow each other.
func writeFound(streams Streams, found session.Found) error {
	if len(found.Titles)+len(found.Passages) == 0 {
		_, err := fmt.Fprintln(streams.Err, "Nothing was found.")
		return err
	}
	var text strings.Builder
	head := func(s session.Saved) {
		fmt.Fprintf(&text, "%s  %s  %s\n", s.ID, message.Visible(s.Title), message.Visible(s.Workspace))
	}
	shown := ""
	for _, s := range found.Titles {
		head(s)
	}
	for _, p := range found.Passages {
		if p.SessionID != shown {
			head(found.Sessions[p.SessionID])
			shown = p.SessionID
		}
		who := string(p.Role)
		if p.Tool != "" {
			who = p.Tool
		}
		fmt.Fprintf(&text, "  %s  %s: %s\n", p.At.Local().Format("2006-01-02 15:04"), message.Visible(who), message.Visible(p.Before+p.Match+p.After))
	}
	if _, err := fmt.Fprint(streams.Out, text.String()); err != nil {
		return fmt.Errorf("write what was found: %w", err)
	}
	if !found.More {
		return nil
	}
	_, err := fmt.Fprintln(streams.Err, "There are more; --limit shows them.")
	return err
}
