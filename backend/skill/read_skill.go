package skill

import (
	"context"
	_ "embed" // the description
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

//go:embed read_skill.md
var description string

type arguments struct {
	Name   string `json:"name"`
	File   string `json:"file,omitempty"`
	Offset int    `json:"offset,omitempty" jsonschema:"first line, from 1"`
}

// readSkill is the tool read_skill.
type readSkill struct {
	library *Library
	// skills are those that the model may read, one of each name.
	skills []Skill
	// catalogue is what the system prompt says of them.
	catalogue string
}

// Definition implements tool.Tool.
func (t *readSkill) Definition() tool.Definition {
	return tool.Definition{
		Name: ToolName, Description: strings.TrimSpace(description), Prompt: t.catalogue, Parameters: tool.Schema[arguments](),
		Effect: message.EffectNone, Group: Group,
		Display: message.Display{
			Title: "Read a skill", Verb: message.VerbRead, Icon: message.IconFile,
			Subject: message.Subject{Arguments: []string{"name"}, Kind: message.SubjectText},
		},
	}
}

// Prepare implements tool.Tool.
func (t *readSkill) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	a, err := tool.Arguments[arguments](in.Arguments)
	if err != nil {
		return tool.Plan{}, err
	}
	if a.Offset < 0 {
		return tool.Plan{}, toolError(message.InvalidArguments, "offset counts lines from 1")
	}
	s, err := t.find(a.Name)
	if err != nil {
		return tool.Plan{}, err
	}
	file, err := s.localPath(a.File)
	if err != nil {
		return tool.Plan{}, err
	}
	return tool.Plan{Run: func(ctx context.Context, _ func(string)) tool.Outcome {
		result, err := t.read(ctx, s, file, max(a.Offset, 1))
		if err != nil {
			result = tool.Failure(err)
		}
		return tool.Outcome{Result: result}
	}}, nil
}

// find returns the skill of a name.
func (t *readSkill) find(name string) (Skill, error) {
	names := make([]string, 0, len(t.skills))
	for _, s := range t.skills {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	text := fmt.Sprintf("there is no skill %q", firstCharacters(name, maxName))
	if near := tool.Nearest(firstCharacters(name, 2*maxName), names); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return Skill{}, toolError(message.InvalidArguments, "%s", text)
}

// localPath returns the path in the skill that is meant by one that a model wrote; that of
// SKILL.md where it wrote none.
func (s Skill) localPath(written string) (string, error) {
	if written == "" {
		return TextFile, nil
	}
	clean := path.Clean(filepath.ToSlash(written))
	clean = strings.TrimPrefix(clean, filepath.ToSlash(s.Folder)+"/")
	if path.IsAbs(clean) || filepath.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") {
		return "", toolError(message.PathOutsideWorkspace, "%s is outside the skill %s: use a path inside it, relative to its folder", quote(written), s.Name)
	}
	return clean, s.checkFile(clean)
}

// checkFile is allowed for the files of the skill, by their File.Path.
func (s Skill) checkFile(file string) error {
	paths := make([]string, 0, len(s.Files))
	for _, f := range s.Files {
		switch {
		case f.Path != file:
			paths = append(paths, f.Path)
		case f.Link != "":
			return toolError(message.UnsupportedFile, "%s is a link to %s, which is not followed", quote(file), quote(f.Link))
		default:
			return nil
		}
	}
	text := fmt.Sprintf("the skill %s has no file %s", s.Name, quote(file))
	near := tool.Nearest(firstCharacters(file, maxNearest), slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return len(p) > maxNearest }))
	if i := slices.IndexFunc(paths, func(p string) bool { return path.Base(p) == path.Base(file) }); near == "" && i >= 0 {
		near = paths[i]
	}
	if near != "" {
		text += fmt.Sprintf("; did you mean %s?", quote(near))
	}
	return toolError(message.FileNotFound, "%s", text)
}

const (
	// maxNearest is how long paths are that are compared with one that is not there, in bytes.
	maxNearest = 256
	// maxQuoted is how much of a path errors repeat, in characters.
	maxQuoted = 120
)

// quote returns a path as errors show it.
func quote(path string) string {
	if short := firstCharacters(path, maxQuoted); short != path {
		path = short + "…"
	}
	return fmt.Sprintf("%q", path)
}

// maxListed bounds the list of files that the model is given with a skill, in bytes.
const maxListed = 4000

// read returns the result of a call: a part of a file, or of the body of SKILL.md.
func (t *readSkill) read(ctx context.Context, s Skill, file string, first int) (message.Result, error) {
	content, err := t.library.readFile(ctx, s, file)
	if err != nil {
		return message.Result{}, err
	}
	text, encoding, err := decode(quote(file), content)
	if err != nil {
		return message.Result{}, err
	}
	head := fmt.Sprintf("%s of the skill %s. Its folder is %s, and its paths are relative to that.\n", message.Inline(file), s.Name, message.Inline(s.Folder))
	if file == TextFile {
		_, text, _, _ = splitText(text)
		text = strings.TrimLeft(text, "\r\n")
		if first == 1 {
			head += s.list()
		}
	}
	p := page{space: maxCharacters - utf8.RuneCountInString(head)}
	if err := p.fill(ctx, text, first); err != nil {
		return message.Result{}, err
	}
	if p.taken == 0 && first > 1 {
		return message.Result{}, toolError(message.InvalidArguments, "offset %d is after the last line: %s has %d", first, quote(file), p.line)
	}
	notices := p.notices()
	if encoding != "" {
		notices = append(notices, "encoding "+encoding+", shown as UTF-8")
	} else if !utf8.Valid(content) {
		notices = append(notices, "bytes that are no UTF-8 are shown as \uFFFD")
	}
	return message.Result{
		Content:   message.Text(tool.WithNotices(head+"\n"+p.text.String(), notices...)),
		Data:      &message.ResultData{Lines: p.taken},
		Truncated: p.more || p.cut,
	}, nil
}

// list names the files of the skill to the model, but for SKILL.md and those with secrets.
func (s Skill) list() string {
	var list strings.Builder
	more := 0
	for _, f := range s.Files {
		if f.Path == TextFile || f.Secret {
			continue
		}
		line := "- " + message.Inline(f.Path)
		switch {
		case f.Link != "":
			line += " (a link to " + message.Inline(f.Link) + ")"
		case f.Executable:
			line += " (executable)"
		}
		if list.Len()+len(line) > maxListed {
			more++
			continue
		}
		list.WriteString(line + "\n")
	}
	if list.Len() == 0 && more == 0 {
		return ""
	}
	text := "Its other files:\n" + list.String()
	if more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return text
}
