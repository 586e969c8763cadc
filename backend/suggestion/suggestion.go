// Package suggestion finds what a folder suggests to models and to the programs around them:
// instructions, skills, and what other coding assistants are to run. Nothing of it is used before the user
// has agreed to it as it is.
package suggestion

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/skill"
	"fairlead/backend/workspace"
)

// Kind is what is suggested.
type Kind string

// The kinds.
const (
	// Instructions is a file that tells models how to work on the files near it.
	Instructions Kind = "instructions"
	// Skill is a folder with instructions for one kind of task, and scripts for it.
	Skill Kind = "skill"
	// Server is the definition of an MCP server for other programs. It is shown, and used only once
	// the user has added it to their own.
	Server Kind = "server"
	// Assistant is a file with settings or hooks of another coding assistant. It is shown, and
	// never used.
	Assistant Kind = "assistant"
)

// Kinds returns all kinds, in the order in which they are listed.
func Kinds() []Kind { return []Kind{Instructions, Skill, Server, Assistant} }

// Same reports whether two suggestions are the same thing, unchanged.
func (s Suggestion) Same(as Suggestion) bool {
	return s.Kind == as.Kind && s.Path == as.Path && s.SHA256 == as.SHA256
}

// Suggestion is one thing that a folder suggests.
type Suggestion struct {
	Kind Kind
	// Path is where it lies in the workspace, with slashes; for a server the file, # and its name.
	Path string
	// Text is what the user is shown of it, which only Read gives, and SHA256 is by what an agreement to it is known, in
	// hexadecimal.
	Text, SHA256 string
	// Bytes is how long it is, and Cut reports whether it is longer than Text.
	Bytes int
	Cut   bool
	// Skill is what is known of a skill, whose Text is that of SKILL.md; nil for other kinds.
	Skill *skill.Skill
	// Server is what a definition of a server says, in whose Text the values of variables and
	// headers are empty; nil for other kinds.
	Server *Offer
}

// CanUse reports whether it can be agreed to; other kinds are only shown.
func (s Suggestion) CanUse() bool { return s.Kind == Instructions || s.Kind == Skill }

const (
	// maxShown is how much of a file is shown that is not used, and maxSkillShown how much of one of
	// a skill, in bytes.
	maxShown, maxSkillShown = 64 << 10, 1 << 20
	// maxCompared is how much of a file that is not used counts in its hash, in bytes.
	maxCompared = 1 << 20
)

// assistantFiles are files with which other coding assistants are set up, or have programs run, by
// themselves once a folder is opened in them; assistantFolders hold such files.
var (
	assistantFiles = []string{
		".claude/settings.json", ".claude/settings.local.json", ".codex/config.toml", ".codex/hooks.json", ".cursor/hooks.json",
		".gemini/settings.json", ".opencode.json", "opencode.json", "opencode.jsonc", ".crush.json", "crush.json", ".aider.conf.yml",
		".qwen/settings.json", ".github/copilot/settings.json",
	}
	assistantFolders = []string{".claude/hooks", ".cursor/hooks", ".gemini/hooks", ".kiro/hooks", ".github/hooks"}
)

// maxAssistantFiles bounds how many files of one folder are shown.
const maxAssistantFiles = 50

// Found is what a folder suggests.
type Found struct {
	// Suggestions are in the order of kinds and then of paths, and More reports whether there are
	// others.
	Suggestions []Suggestion
	More        bool
	// LeftOut are skills that cannot be used, and why.
	LeftOut []skill.LeftOut
}

// Find returns what a folder suggests. Files that cannot be read are left out: nothing of them is
// used either.
func Find(ctx context.Context, folder *workspace.Folder) (Found, error) {
	instructions, more, err := folder.FindInstructions(ctx)
	if err != nil {
		return Found{}, fmt.Errorf("look for instructions: %w", err)
	}
	found := Found{More: more}
	for _, one := range instructions {
		found.Suggestions = append(found.Suggestions, ofInstructions(one))
	}
	skills, err := skill.NewLibrary(folder, "").Find(ctx)
	if err != nil {
		return Found{}, fmt.Errorf("look for skills: %w", err)
	}
	found.LeftOut = skills.LeftOut
	for i := range skills.Skills {
		found.Suggestions = append(found.Suggestions, ofSkill(&skills.Skills[i]))
	}
	servers, more, err := findServers(ctx, folder)
	if err != nil {
		return Found{}, err
	}
	found.Suggestions, found.More = append(found.Suggestions, servers...), found.More || more
	files := slices.Clone(assistantFiles)
	for _, dir := range assistantFolders {
		names, cut, err := list(ctx, folder, dir)
		if err != nil {
			return Found{}, err
		}
		files, found.More = append(files, names...), found.More || cut
	}
	for _, name := range files {
		if one, err := readAssistant(ctx, folder, name); err == nil {
			found.Suggestions = append(found.Suggestions, one)
		} else if ctx.Err() != nil {
			return Found{}, context.Cause(ctx)
		}
	}
	for i := range found.Suggestions {
		found.Suggestions[i].Text = ""
	}
	return found, nil
}

// list returns the files in a folder, which need not be there.
func list(ctx context.Context, folder *workspace.Folder, dir string) (names []string, cut bool, err error) {
	// Most folders have none, and an error would compare its name with all others.
	if place, err := folder.Locate(dir); err == nil && !place.Exists() {
		return nil, false, nil
	}
	walked, err := folder.Walk(ctx, dir, func(e workspace.Entry) error {
		switch {
		case len(names) == maxAssistantFiles:
			cut = true
			return fs.SkipAll
		case !e.Type.IsDir():
			names = append(names, e.Path)
		}
		return nil
	})
	var failure *message.ToolError
	if err != nil && !errors.As(err, &failure) {
		return nil, false, err
	}
	return names, cut || walked.Capped, nil
}

// Read returns one thing that a folder suggests, as it is now, by kind and path. An error is a
// *message.Refusal with NOT_FOUND where it is not there.
func Read(ctx context.Context, folder *workspace.Folder, kind Kind, name string) (Suggestion, error) {
	if kind == Assistant && path.Clean(name) == name {
		inside := func(dir string) bool { return strings.HasPrefix(name, dir+"/") }
		if slices.Contains(assistantFiles, name) || slices.ContainsFunc(assistantFolders, inside) {
			return readAssistant(ctx, folder, name)
		}
	}
	if kind == Server {
		return readServer(ctx, folder, name)
	}
	if kind == Skill {
		return ReadSkill(ctx, folder, name, skill.TextFile)
	}
	if kind == Instructions && workspace.IsInstructions(name) {
		found, err := folder.Instructions(path.Dir(name))
		if err != nil || found.Path == name {
			return ofInstructions(found), err
		}
	}
	return Suggestion{}, missing(name)
}

func missing(name string) error {
	return &message.Refusal{Code: message.NotFound, Message: "the folder does not suggest " + message.Inline(name)}
}

// ReadSkill is Read for a skill, with the text of one of its files.
func ReadSkill(ctx context.Context, folder *workspace.Folder, name, file string) (Suggestion, error) {
	library := skill.NewLibrary(folder, "")
	found, err := library.Find(ctx)
	if err != nil {
		return Suggestion{}, err
	}
	at := slices.IndexFunc(found.Skills, func(s skill.Skill) bool { return s.Folder == name })
	if at < 0 {
		return Suggestion{}, missing(name)
	}
	s := ofSkill(&found.Skills[at])
	text, err := library.Text(ctx, found.Skills[at], file)
	if err != nil {
		return Suggestion{}, err
	}
	shown, cut := workspace.CutText([]byte(text), maxSkillShown)
	s.Text, _ = workspace.HideSecrets(string(shown))
	s.Cut = cut
	return s, nil
}

func ofSkill(found *skill.Skill) Suggestion {
	s := Suggestion{Kind: Skill, Path: found.Folder, SHA256: found.SHA256, Skill: found}
	for _, file := range found.Files {
		s.Bytes += int(file.Bytes)
	}
	return s
}

func ofInstructions(found workspace.Instructions) Suggestion {
	return Suggestion{
		Kind: Instructions, Path: found.Path, Text: found.Text, SHA256: found.SHA256, Bytes: found.Bytes, Cut: found.Cut,
	}
}

// readAssistant reads a file of another assistant.
func readAssistant(ctx context.Context, folder *workspace.Folder, name string) (Suggestion, error) {
	content, size, err := readText(ctx, folder, name, maxCompared)
	if err != nil {
		return Suggestion{}, err
	}
	sum := sha256.Sum256(content)
	shown, cut := workspace.CutText(content, maxShown)
	visible, _ := workspace.HideSecrets(string(shown))
	return Suggestion{
		Kind: Assistant, Path: name, Text: visible, SHA256: hex.EncodeToString(sum[:]), Bytes: int(size), Cut: cut,
	}, nil
}
