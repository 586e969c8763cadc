package file

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

type readArguments struct {
	Path    string `json:"path"`
	Offset  int    `json:"offset,omitempty" jsonschema:"first line, from 1; negative: from the end, -1 is the last"`
	Limit   int    `json:"limit,omitempty" jsonschema:"number of lines"`
	Numbers bool   `json:"numbers,omitempty" jsonschema:"line numbers"`
	Source  bool   `json:"source,omitempty" jsonschema:"HTML as written, to edit it"`
}

// readFile is the tool read_file.
type readFile struct{ *session }

// Definition implements tool.Tool.
func (t *readFile) Definition() tool.Definition {
	return newDefinition[readArguments]("read_file", readText, message.EffectNone, message.Display{
		Title: "Read a file", Verb: message.VerbRead, Icon: message.IconFile, Subject: aboutPath,
	})
}

// Prepare implements tool.Tool.
func (t *readFile) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	arguments, err := tool.Arguments[readArguments](in.Arguments)
	switch {
	case err != nil:
		return tool.Plan{}, err
	case arguments.Path == "":
		return tool.Plan{}, invalidArguments("path is empty")
	case arguments.Limit < 0:
		return tool.Plan{}, invalidArguments("limit counts lines from 1")
	}
	return tool.Plan{Extra: t.waitFor(arguments.Path), Touches: []string{arguments.Path}, Run: func(ctx context.Context, progress func(string)) tool.Outcome {
		result, err := t.read(ctx, arguments, t.knownTo(in), progress)
		if err != nil {
			result = tool.Failure(err)
		}
		return tool.Outcome{Result: result}
	}}, nil
}

func (t *readFile) read(ctx context.Context, a readArguments, known *Known, progress func(string)) (message.Result, error) {
	file, err := t.open(a.Path)
	if err != nil {
		return message.Result{}, err
	}
	defer func() { _ = file.Close() }()
	name := workspace.Shown(file.Path)
	if format := t.formatOf(file, a); format != "" {
		return t.readDocument(ctx, file, format, a, progress)
	}
	if err := refuseOld(file, name); err != nil {
		return message.Result{}, err
	}
	p := &page{first: max(a.Offset, 1), limit: a.Limit, numbers: a.Numbers}
	if p.limit == 0 {
		p.limit = pageLines
	}
	text, encoding, fingerprint, err := p.open(ctx, file, name, a.Offset)
	if err != nil {
		return message.Result{}, err
	}
	if err := p.read(ctx, text); err != nil {
		return message.Result{}, err
	}
	switch {
	case p.taken == 0 && p.tired:
		return message.Result{}, invalidArguments(fmt.Sprintf("line %d of %s begins more than %d MiB from its beginning: "+
			"read from the end with a negative offset, or find the place with search_files", a.Offset, name, maxScanned>>20))
	case p.taken == 0 && p.line > 0:
		return message.Result{}, invalidArguments(fmt.Sprintf("offset %d is after the last line: %s has %d", a.Offset, name, p.line))
	}
	if fingerprint != "" {
		known.rememberFile(name, fingerprint)
	}
	notices := p.collectNotices(encoding)
	if p.taken == 0 {
		notices = append(notices, "the file is empty")
	}
	return message.Result{
		Content:   message.Text(tool.WithNotices(p.text.String(), notices...)),
		Data:      &message.ResultData{Lines: p.taken},
		Truncated: p.more || p.cut || p.tired,
	}, nil
}

// open opens the text of a file for the page, which an offset below 0 places at its end.
// Of a small file it returns the fingerprint.
func (p *page) open(ctx context.Context, file *workspace.File, name string, offset int) (text *bufio.Reader, encoding, fingerprint string, err error) {
	if file.Size > maxText && offset < 0 {
		ending, err := file.Ending(ctx, name, -offset, maxScanned)
		p.secrets = ending.Secrets
		if !ending.Whole {
			p.shift = -ending.Lines - 1
		}
		return ending.Text, ending.Encoding, "", err
	}
	if file.Size > maxText {
		text, encoding, err = workspace.AsUTF8(name, file)
		return text, encoding, "", err
	}
	// Small files are taken at once, so that what is shown is what is remembered.
	content, err := file.ReadAll(ctx, maxText)
	if err != nil {
		return nil, "", "", err
	}
	if offset < 0 {
		if text, _, err = workspace.AsUTF8(name, bytes.NewReader(content)); err != nil {
			return nil, "", "", err
		}
		p.first = max(1, countLines(text)+offset+1)
	}
	text, encoding, err = workspace.AsUTF8(name, bytes.NewReader(content))
	return text, encoding, fingerprintOf(name, content), err
}

// countLines counts the lines of a text.
func countLines(text *bufio.Reader) (count int) {
	for ended := true; ; {
		line, err := text.ReadSlice('\n')
		if ended && len(line) > 0 {
			count++
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return count
		}
		ended = err == nil
	}
}

func (t *readFile) open(path string) (*workspace.File, error) {
	if strings.HasPrefix(path, workspace.OutputPrefix) {
		return t.outputs.OpenFile(path)
	}
	return t.folder.OpenFile(path)
}
