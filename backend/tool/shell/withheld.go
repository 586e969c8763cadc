package shell

import (
	"strings"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

const (
	// withheldLines is how many lines with hidden keys the user is shown at most, and
	// withheldColumns how much of each.
	withheldLines   = 20
	withheldColumns = 200
)

// withhold hides keys of known forms in the output of a command that nobody was asked about
// (SPEC PRE-10), and returns what is hidden; nil for nothing.
func (c *commands) withhold(line string, result message.Result) (message.Result, *tool.Withheld) {
	whole := result.Content.Text()
	shown, keys := workspace.HideSecrets(whole)
	if keys == 0 {
		return result, nil
	}
	var lines []string
	for text := range strings.Lines(shown) {
		if workspace.Marks(text) > 0 && len(lines) < withheldLines {
			lines = append(lines, shorten(strings.TrimSpace(text)))
		}
	}
	result.Content = message.Text(shown)
	return result, &tool.Withheld{
		Preview: message.Preview{
			Effect: message.EffectNone, Command: line, Folder: c.Folder.Path(), Fingerprint: change.SumOf([]byte(whole)),
			Output: strings.Join(lines, "\n"), Keys: keys,
		},
		Shown: shown, Whole: whole,
	}
}

// shorten cuts a line that is long.
func shorten(line string) string {
	runes := []rune(line)
	if len(runes) <= withheldColumns {
		return line
	}
	return string(runes[:withheldColumns]) + "…"
}
