package file

import (
	"context"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

type writeArguments struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

// writeFile is the tool write_file.
type writeFile struct{ *session }

// Definition implements tool.Tool.
func (t *writeFile) Definition() tool.Definition {
	return newDefinition[writeArguments]("write_file", writeText, message.EffectFiles, message.Display{
		Title: "Write a file", Verb: message.VerbWrite, Icon: message.IconPencil, Subject: aboutPath,
		Form: []message.FormField{{At: "path", Fixed: true}, {At: "content"}},
	})
}

// Prepare implements tool.Tool.
func (t *writeFile) Prepare(ctx context.Context, in tool.Input) (tool.Plan, error) {
	c, err := t.change(ctx, in)
	if err != nil {
		return tool.Plan{}, err
	}
	return t.planOf(c, in), nil
}

// change works out what a call changes.
func (t *writeFile) change(ctx context.Context, in tool.Input) (change, error) {
	arguments, err := tool.Arguments[writeArguments](in.Arguments)
	if err != nil {
		return change{}, err
	}
	c, err := t.openTarget(ctx, arguments.Path)
	if err != nil {
		return change{}, err
	}
	if err := tooLong(len(arguments.Content)); err != nil {
		return change{}, err
	}
	if err := checkMarks(arguments.Content, string(c.old)); err != nil {
		return change{}, err
	}
	c.content = []byte(arguments.Content)
	if !c.exists {
		return c, nil
	}
	present, err := parse(c.path, c.old)
	if err != nil {
		return change{}, err
	}
	c.content = present.withText(arguments.Content)
	if present.crlf && strings.Count(arguments.Content, "\n") != strings.Count(arguments.Content, "\r\n") {
		c.notes = append(c.notes, "written with CRLF line endings, as the file had")
	}
	if present.bom && !strings.HasPrefix(arguments.Content, workspace.UTF8BOM) {
		c.notes = append(c.notes, "its byte order mark was kept")
	}
	return c, tooLong(len(c.content))
}
