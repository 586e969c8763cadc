// Package search has the tool that finds lines in the files of the workspace by
// regular expression, on every system the same way.
package search

import (
	"context"
	_ "embed" // the description
	"fmt"
	"path"
	"strings"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/tool/document"
	"fairlead/backend/workspace"

	"github.com/bmatcuk/doublestar/v4"
)

const (
	// maxContext is how many lines around a match can be asked for.
	maxContext = 20
	// maxPattern bounds the expression, in bytes.
	maxPattern = 1000
)

//go:embed search_files.md
var description string

// New returns the search tools. The text of documents is found by documents; nil leaves them out.
func New(folder *workspace.Folder, documents *document.Reader) []tool.Tool {
	return []tool.Tool{&searchFiles{folder, documents}}
}

type arguments struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path,omitempty" jsonschema:"file or folder, default all"`
	Glob    string `json:"glob,omitempty" jsonschema:"e.g. *.go or src/**/*.ts"`
	Context int    `json:"context,omitempty" jsonschema:"lines around each match"`
}

// searchFiles is the tool search_files.
type searchFiles struct {
	folder    *workspace.Folder
	documents *document.Reader
}

// Definition implements tool.Tool.
func (t *searchFiles) Definition() tool.Definition {
	return tool.Definition{
		Name: "search_files", Description: strings.TrimSpace(description), Parameters: tool.Schema[arguments](),
		Effect: message.EffectNone, Group: "search", Essential: true,
		Display: message.Display{
			Title: "Search in files", Verb: message.VerbSearch, Icon: message.IconSearch,
			Subject: message.Subject{Arguments: []string{"pattern"}, Kind: message.SubjectText},
		},
	}
}

// Prepare implements tool.Tool.
func (t *searchFiles) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	a, p, err := parse(in)
	if err != nil {
		return tool.Plan{}, err
	}
	return tool.Plan{Touches: []string{a.Path}, Run: func(ctx context.Context, _ func(string)) tool.Outcome {
		return tool.Outcome{Result: t.searchIn(ctx, a, p)}
	}}, nil
}

func (t *searchFiles) searchIn(ctx context.Context, a arguments, p *pattern) message.Result {
	paths, named, walked, err := t.listFiles(ctx, a)
	if err != nil {
		return tool.Failure(err)
	}
	s := &scan{
		folder: t.folder, documents: t.documents, pattern: p, context: a.Context, paths: paths, named: named,
		found: make([][]block, len(paths)), documentsEnd: time.Now().Add(documentsTime),
	}
	err = s.run(ctx)
	r := report{}
	for i, blocks := range s.found {
		r.addFile(paths[i], blocks)
	}
	if err != nil {
		return message.Result{Content: message.Text(r.text.String()), Data: &message.ResultData{Matches: r.matches}, Truncated: true, Error: tool.Failure(err).Error}
	}
	return message.Result{
		Content:   message.Text(tool.WithNotices(r.text.String(), r.collectNotices(s, walked)...)),
		Data:      &message.ResultData{Matches: r.matches},
		Truncated: r.full || r.cut || walked.Capped,
	}
}

// parse decodes and checks the arguments.
func parse(in tool.Input) (arguments, *pattern, error) {
	a, err := tool.Arguments[arguments](in.Arguments)
	if err != nil {
		return a, nil, err
	}
	switch {
	case a.Pattern == "":
		return a, nil, invalidArguments("pattern is empty")
	case len(a.Pattern) > maxPattern:
		return a, nil, invalidArguments(fmt.Sprintf("pattern has %d bytes, at most %d are allowed", len(a.Pattern), maxPattern))
	case a.Context < 0 || a.Context > maxContext:
		return a, nil, invalidArguments(fmt.Sprintf("context is from 0 to %d lines", maxContext))
	case !doublestar.ValidatePattern(a.Glob):
		return a, nil, invalidArguments(fmt.Sprintf("glob %.100q is malformed", a.Glob))
	}
	if a.Path == "" {
		a.Path = "."
	}
	p, err := compilePattern(a.Pattern)
	return a, p, err
}

func invalidArguments(text string) error {
	return &message.ToolError{Code: message.InvalidArguments, Message: text}
}

// listFiles lists the regular files to search, sorted. named means that path is one.
func (t *searchFiles) listFiles(ctx context.Context, a arguments) (paths []string, named bool, walked workspace.Walked, err error) {
	walked, err = t.folder.Walk(ctx, a.Path, func(e workspace.Entry) error {
		if e.Type == 0 && (a.Glob == "" || a.matchesGlob(e)) {
			paths = append(paths, e.Path)
			named = e.Depth == 0
		}
		return nil
	})
	return paths, named, walked, err
}

// matchesGlob compares a glob with slashes with the path below the searched folder,
// any other with the name.
func (a arguments) matchesGlob(e workspace.Entry) bool {
	name := path.Base(e.Path)
	if strings.Contains(a.Glob, "/") {
		parts := strings.Split(e.Path, "/")
		name = path.Join(parts[len(parts)-max(e.Depth, 1):]...)
	}
	return doublestar.MatchUnvalidated(a.Glob, name)
}
