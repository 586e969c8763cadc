package file

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"

	"github.com/bmatcuk/doublestar/v4"
)

const (
	// listDepth is how deep a list goes when no depth is asked for.
	listDepth = 3
	// listEntries is how many entries a list has at most.
	listEntries = 1000
)

type listArguments struct {
	Path  string `json:"path,omitempty" jsonschema:"folder, default the top"`
	Depth int    `json:"depth,omitempty" jsonschema:"levels, default 3, all with glob"`
	Glob  string `json:"glob,omitempty" jsonschema:"files only, e.g. *.go or src/**/*.ts"`
}

// listFiles is the tool list_files.
type listFiles struct{ *session }

// Definition implements tool.Tool.
func (t *listFiles) Definition() tool.Definition {
	return newDefinition[listArguments]("list_files", listText, message.EffectNone, message.Display{
		Title: "List files", Verb: message.VerbList, Icon: message.IconFolder,
		Subject: message.Subject{Arguments: []string{"glob", "path"}, Kind: message.SubjectFolder},
	})
}

// Prepare implements tool.Tool.
func (t *listFiles) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	arguments, err := tool.Arguments[listArguments](in.Arguments)
	if err == nil && arguments.Depth < 0 {
		err = invalidArguments("depth counts levels from 1")
	}
	if err == nil && !doublestar.ValidatePattern(arguments.Glob) {
		err = invalidArguments(fmt.Sprintf("glob %.100q is malformed", arguments.Glob))
	}
	if err != nil {
		return tool.Plan{}, err
	}
	return tool.Plan{Touches: []string{arguments.Path}, Run: func(ctx context.Context, _ func(string)) tool.Outcome {
		return tool.Outcome{Result: t.list(ctx, arguments)}
	}}, nil
}

func (t *listFiles) list(ctx context.Context, arguments listArguments) message.Result {
	l := listing{listArguments: arguments}
	if l.Path == "" {
		l.Path = "."
	}
	if l.Depth == 0 && l.Glob == "" {
		l.Depth = listDepth
	}
	var err error
	l.walked, err = t.folder.Walk(ctx, l.Path, l.visitEntry)
	result := message.Result{
		Content:   message.Text(tool.WithNotices(l.text.String(), l.collectNotices()...)),
		Data:      &message.ResultData{Entries: l.entries},
		Truncated: l.full || l.walked.Capped,
	}
	if err != nil {
		result.Error = tool.Failure(err).Error
	}
	if err != nil && l.entries == 0 {
		result.Content = nil
	}
	return result
}

// listing is a list under way.
type listing struct {
	listArguments
	text       strings.Builder
	characters int
	entries    int
	full       bool
	walked     workspace.Walked
}

func (l *listing) visitEntry(e workspace.Entry) error {
	if l.Glob == "" || !e.Type.IsDir() && l.matchesGlob(e) {
		line := shownEntry(e)
		count := utf8.RuneCountInString(line) + 1
		if l.entries == listEntries || l.characters+count > maxCharacters {
			l.full = true
			return fs.SkipAll
		}
		l.entries++
		l.characters += count
		l.text.WriteString(line + "\n")
	}
	if e.Type.IsDir() && e.Depth == l.Depth {
		return fs.SkipDir
	}
	return nil
}

// matchesGlob compares a pattern with slashes with the path below the listed folder,
// any other with the name.
func (l *listing) matchesGlob(e workspace.Entry) bool {
	name := path.Base(e.Path)
	if strings.Contains(l.Glob, "/") {
		parts := strings.Split(e.Path, "/")
		name = path.Join(parts[len(parts)-max(e.Depth, 1):]...)
	}
	return doublestar.MatchUnvalidated(l.Glob, name)
}

// shownEntry is an entry as listed: folders with a slash, links marked.
func shownEntry(e workspace.Entry) string {
	name := workspace.Shown(e.Path)
	switch {
	case e.Type.IsDir():
		return name + "/"
	case e.Type&fs.ModeSymlink != 0:
		return name + " (link)"
	default:
		return name
	}
}

func (l *listing) collectNotices() []string {
	var notices []string
	if l.entries == 0 {
		notices = append(notices, "nothing found")
	}
	if l.full || l.walked.Capped {
		notices = append(notices, fmt.Sprintf("only the first %d entries: name a folder, a depth or a glob to see others", l.entries))
	}
	notices = append(notices, l.walked.LeftOut()...)
	return notices
}
