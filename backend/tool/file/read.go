package file

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

type readArguments struct {
	Path    string `json:"path"`
	Offset  int    `json:"offset,omitempty" jsonschema:"first line, from 1"`
	Limit   int    `json:"limit,omitempty" jsonschema:"number of lines"`
	Numbers bool   `json:"numbers,omitempty" jsonschema:"show line numbers"`
}

// readFile is the tool read_file.
type readFile struct{ *session }

// Definition implements tool.Tool.
func (t *readFile) Definition() tool.Definition {
	return definition[readArguments]("read_file", readText, message.EffectNone)
}

// Run implements tool.Tool.
func (t *readFile) Run(ctx context.Context, in tool.Input) message.Result {
	arguments, err := tool.Arguments[readArguments](in.Arguments)
	if err != nil {
		return tool.Failure(err)
	}
	switch {
	case arguments.Path == "":
		return tool.Failure(invalid("path is empty"))
	case arguments.Offset < 0 || arguments.Limit < 0:
		return tool.Failure(invalid("offset and limit count lines from 1"))
	}
	result, err := t.read(ctx, arguments, t.known(in))
	if err != nil {
		return tool.Failure(err)
	}
	return result
}

func (t *readFile) read(ctx context.Context, a readArguments, known *Known) (message.Result, error) {
	file, err := t.open(a.Path)
	if err != nil {
		return message.Result{}, err
	}
	defer func() { _ = file.Close() }()
	name := workspace.Shown(file.Path)
	source := io.Reader(file)
	fingerprint := ""
	if file.Size <= maxText {
		// Small files are taken at once, so that what is shown is what is
		// remembered.
		content, err := file.ReadAll(ctx, maxText)
		if err != nil {
			return message.Result{}, err
		}
		source, fingerprint = bytes.NewReader(content), fingerprintOf(name, content)
	}
	text, encoding, err := workspace.AsUTF8(name, source)
	if err != nil {
		return message.Result{}, err
	}
	p := &page{first: max(a.Offset, 1), limit: a.Limit, numbers: a.Numbers}
	if p.limit == 0 {
		p.limit = pageLines
	}
	if err := p.read(ctx, text); err != nil {
		return message.Result{}, err
	}
	if p.taken == 0 && p.line > 0 && !p.tired {
		return message.Result{}, invalid(fmt.Sprintf("offset %d is after the last line: %s has %d", a.Offset, name, p.line))
	}
	if fingerprint != "" {
		known.remember(name, fingerprint)
	}
	notices := p.notices(encoding)
	if p.taken == 0 && !p.tired {
		notices = append(notices, "the file is empty")
	}
	return message.Result{
		Content:   tool.WithNotices(p.text.String(), notices...),
		Truncated: p.more || p.cut || p.tired,
	}, nil
}

func (t *readFile) open(path string) (*workspace.File, error) {
	if strings.HasPrefix(path, workspace.OutputPrefix) {
		return t.outputs.OpenFile(path)
	}
	return t.folder.OpenFile(path)
}
