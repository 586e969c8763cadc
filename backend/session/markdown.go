package session

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"fairlead/backend/message"
)

// WriteMarkdown writes a conversation for people, one message after the other: what was
// said, and each call with its result.
func WriteMarkdown(out io.Writer, saved Saved, messages iter.Seq2[message.Message, error]) error {
	var text strings.Builder
	write := func() error {
		if _, err := io.WriteString(out, text.String()); err != nil {
			return fmt.Errorf("write the conversation: %w", err)
		}
		text.Reset()
		return nil
	}
	fmt.Fprintf(&text, "# %s\n\n", strings.Join(strings.Fields(saved.Title), " "))
	fmt.Fprintf(&text, "Folder: `%s`  \nBegun: %s\n", saved.Workspace, saved.CreatedAt.Local().Format("2 January 2006, 15:04"))
	heading := ""
	for m, err := range message.Whole(messages) {
		if err != nil {
			return errors.Join(write(), err)
		}
		if m.Synthetic {
			writeLost(&text, m)
			continue
		}
		speaker := "Model"
		if m.Role == message.User {
			speaker = "You"
		}
		if speaker != heading {
			heading = speaker
			fmt.Fprintf(&text, "\n## %s\n", speaker)
		}
		for _, part := range m.Parts {
			writePart(&text, part)
			if err := write(); err != nil {
				return err
			}
		}
	}
	return write()
}

// writeLost writes what is said of lost messages in a message of Fairlead's own.
func writeLost(text *strings.Builder, m message.Message) {
	for _, part := range m.Parts {
		if part.Lost {
			writePart(text, part)
		}
	}
}

func writePart(text *strings.Builder, part message.Part) {
	switch {
	case part.Lost:
		fmt.Fprintf(text, "\n*(%s)*\n", part.Text)
	case part.Synthetic:
	case part.Type == message.TextPart:
		fmt.Fprintf(text, "\n%s\n", strings.TrimRight(part.Text, "\n"))
		if part.Interrupted {
			text.WriteString("\n*(cut off here)*\n")
		}
	case part.Block != nil:
		fmt.Fprintf(text, "\n%s\n", part.Said())
	case part.Type == message.ReasoningPart:
		fmt.Fprintf(text, "\n> %s\n", strings.ReplaceAll(strings.TrimRight(part.Text, "\n"), "\n", "\n> "))
	case part.Tool != nil:
		fmt.Fprintf(text, "\n### %s\n", part.Tool.Name)
		writeFence(text, "json", string(part.Tool.State.Input))
		if output := part.Tool.State.Output; output != nil {
			writeFence(text, "", output.Text())
			for _, n := range output.Notices {
				fmt.Fprintf(text, "\n**Notice:** %s\n", n)
			}
		}
	}
}

// writeFence writes a block of code between fences that are longer than any in it.
func writeFence(text *strings.Builder, language, code string) {
	marks := "```"
	for strings.Contains(code, marks) {
		marks += "`"
	}
	fmt.Fprintf(text, "\n%s%s\n%s\n%s\n", marks, language, strings.TrimRight(code, "\n"), marks)
}
