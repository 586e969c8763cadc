package cli

import (
	"cmp"
	"fmt"

	"fairlead/backend/event"
)

// durationText writes a duration as people do.
func durationText(milliseconds int64) string {
	if milliseconds < 1000 {
		return fmt.Sprintf("%d ms", milliseconds)
	}
	return fmt.Sprintf("%.1f s", float64(milliseconds)/1000)
}

// summariseArguments says in one line what a call is about, or all it has where its tool does not
// say which argument that is. The whole is shown where the user decides.
func summariseArguments(d event.ToolCall) string {
	line := d.RawArguments
	if d.Arguments != nil {
		line = string(d.Arguments)
	}
	if d.Display != nil {
		line = cmp.Or(d.Display.Subject.Of(d.Arguments), line)
		if to := d.Display.Subject.Becomes(d.Arguments); to != "" {
			line += " → " + to
		}
	}
	return oneLine(line)
}

// shortenText is text cut to so many characters.
func shortenText(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// shortPrompt is as much of a prompt as a line about something else has space for.
func shortPrompt(prompt string) string { return shortenText(oneLine(prompt), 160) }

// compactedText says that the model is shown less.
func compactedText(d event.ContextCompacted) string {
	what := "older messages were summed up"
	if d.Mode == event.Prune {
		what = "older outputs were left out"
	}
	return fmt.Sprintf("(%s: %s → %s tokens)", what, tokensText(d.Before), tokensText(d.After))
}

// tokensText writes a number of tokens as people do.
func tokensText(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 9950:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprintf("%.0fk", float64(n)/1000)
}
