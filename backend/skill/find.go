package skill

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unicode/utf8"

	"fairlead/backend/workspace"
)

// The bounds of a look for skills. Those of the user and of the workspace are looked for apart, so
// that a workspace with too many does not hide the user's own.
const (
	// maxSkills is how many are found, and maxLeftOut how many are left out before the look ends.
	maxSkills  = 100
	maxLeftOut = 200
	// maxFolders is how many folders are looked at, and maxDepth how deep below the folder of
	// skills a skill may lie.
	maxFolders = 2000
	maxDepth   = 4
	// maxEntries is how much of what is in one folder on the way is looked at.
	maxEntries = 10_000
	// maxAllBytes is how much is read before the look ends. The last skill may exceed it.
	maxAllBytes = 64 << 20
)

// The bounds of what a skill says of itself, in characters.
const (
	maxName          = 64
	maxDescription   = 1024
	maxLicense       = 500
	maxCompatibility = 500
	maxAllowedTools  = 1024
)

// workspaceFolders are where a workspace has skills, those first that are used of several with the
// same name.
var workspaceFolders = []string{".agents/skills", ".claude/skills"}

// Find looks for skills. What cannot be used is left out and named; the error is that of ctx alone.
func (l *Library) Find(ctx context.Context) (Found, error) {
	found := Found{Skills: []Skill{}}
	if l.folder != nil {
		look := &look{library: l, ctx: ctx, found: &found}
		for _, top := range workspaceFolders {
			// Most workspaces have neither, and this costs next to nothing then.
			if _, err := l.folder.Lstat(top); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
				continue
			}
			if err := look.begin(place{SourceWorkspace, top}); err != nil {
				return Found{}, err
			}
		}
	}
	if l.own != "" {
		look := &look{library: l, ctx: ctx, found: &found}
		if err := look.begin(place{source: SourceUser}); err != nil {
			return Found{}, err
		}
	}
	slices.SortStableFunc(found.Skills, func(a, b Skill) int { return cmp.Compare(a.Name, b.Name) })
	warnOfEqualNames(found.Skills)
	return found, nil
}

// warnOfEqualNames adds to skills, which are in the order of names, what follows from those of the
// same name.
func warnOfEqualNames(skills []Skill) {
	for first := 0; first < len(skills); {
		next := first + 1
		for ; next < len(skills) && skills[next].Name == skills[first].Name; next++ {
			skills[first].warn(Warning{Code: WarningShadows, Text: skills[next].Folder})
			skills[next].warn(Warning{Code: WarningShadowed, Text: skills[first].Folder})
		}
		first = next
	}
}

func (s *Skill) warn(w Warning) { s.Warnings = append(s.Warnings, w) }

// errEnough ends a look whose bounds are reached.
var errEnough = errors.New("the bounds of the look for skills are reached")

// look looks for the skills of one source.
type look struct {
	library *Library
	ctx     context.Context
	found   *Found
	// skills, leftOut, folders and bytes count what came so far.
	skills, leftOut, folders int
	bytes                    int64
}

// begin looks through a folder of skills. The error is that of ctx.
func (l *look) begin(at place) error {
	folder, err := l.library.open(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, workspace.ErrLink) && l.isFoundElsewhere(at):
		return nil
	case err != nil:
		unfit := asUnfit(err)
		if unfit.reason == ReasonSpecial {
			unfit.reason = ReasonNoFolder
		}
		_ = l.leaveOut(at, unfit) // nothing follows
		return l.ctx.Err()
	}
	defer folder.Close()
	if err := l.lookThrough(folder, at, 0); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return nil
}

// lookThrough looks for skills in a folder that lies so deep below the folder of skills. The error
// is errEnough or that of ctx.
func (l *look) lookThrough(folder *workspace.Subtree, at place, depth int) error {
	entries, more, err := folder.Entries(l.ctx, maxEntries)
	if err != nil {
		return l.leaveOut(at, asUnfit(err))
	}
	if depth > 0 && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == TextFile && !e.IsDir() }) {
		return l.take(folder, at)
	}
	if more {
		if err := l.leaveOut(at, &unfitError{reason: ReasonMoreEntries, limit: maxEntries}); err != nil {
			return err
		}
	}
	for _, e := range entries {
		if err := l.lookAt(folder, e, place{at.source, at.join(e.Name())}, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// lookAt looks at an entry of a folder on the way.
func (l *look) lookAt(in *workspace.Subtree, e fs.DirEntry, at place, depth int) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	switch {
	case e.Name() == ".git", e.Name() == "node_modules", workspace.IsSecret(at.path):
		return nil
	case e.Type() == fs.ModeSymlink:
		if l.isFoundElsewhere(at) {
			return nil
		}
		return l.leaveOut(at, &unfitError{reason: ReasonLink})
	case !e.IsDir():
		return nil
	case depth > maxDepth:
		return l.leaveOut(at, &unfitError{reason: ReasonDeep, limit: maxDepth})
	case l.folders == maxFolders:
		return l.end(at, ReasonMoreFolders, maxFolders)
	}
	l.folders++
	folder, err := in.Open(e.Name())
	if err != nil {
		return l.leaveOut(at, asUnfit(err))
	}
	defer folder.Close()
	return l.lookThrough(folder, at, depth)
}

// isFoundElsewhere reports whether a link leads to what is no folder, or to where skills are found
// without it: many programs link the skills of .claude to those of .agents.
func (l *look) isFoundElsewhere(at place) bool {
	if at.source != SourceWorkspace {
		return false
	}
	to, err := l.library.folder.Locate(workspace.Shown(at.path))
	if err != nil || !to.Exists() {
		return false
	}
	return !to.Info.IsDir() || slices.ContainsFunc(workspaceFolders, func(top string) bool {
		return to.Path == top || strings.HasPrefix(to.Path, top+"/")
	})
}

// leaveOut names what is left out. The error is errEnough, or that of ctx, for which nothing is
// left out.
func (l *look) leaveOut(at place, why *unfitError) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	if l.leftOut == maxLeftOut {
		return l.end(at, ReasonMoreLeftOut, maxLeftOut)
	}
	l.leftOut++
	l.found.LeftOut = append(l.found.LeftOut, LeftOut{
		Path: l.library.shown(at), Source: at.source, Reason: why.reason, Limit: why.limit, Detail: why.detail,
	})
	return nil
}

// end ends the look at a place from which on nothing is looked at.
func (l *look) end(at place, reason Reason, limit int64) error {
	l.found.LeftOut = append(l.found.LeftOut, LeftOut{Path: l.library.shown(at), Source: at.source, Reason: reason, Limit: limit})
	return errEnough
}

// take reads the skill in a folder.
func (l *look) take(folder *workspace.Subtree, at place) error {
	switch {
	case l.skills == maxSkills:
		return l.end(at, ReasonMoreSkills, maxSkills)
	case l.bytes >= maxAllBytes:
		return l.end(at, ReasonMoreBytes, maxAllBytes)
	}
	c := &contents{ctx: l.ctx, wanted: TextFile, limit: maxText}
	s, err := l.read(folder, at, c)
	l.bytes += c.bytes
	if err != nil {
		return l.leaveOut(at, asUnfit(err))
	}
	l.skills++
	l.found.Skills = append(l.found.Skills, s)
	return nil
}

// read reads the skill in a folder by c.
func (l *look) read(folder *workspace.Subtree, at place, c *contents) (Skill, error) {
	if err := c.read(folder, "", 1); err != nil {
		return Skill{}, err
	}
	switch {
	case c.refused != nil:
		return Skill{}, c.refused
	case c.kept == nil: // there was something of its name
		return Skill{}, &unfitError{reason: ReasonLink}
	}
	text, encoding, err := decode(TextFile, c.kept)
	if err != nil {
		return Skill{}, &unfitError{reason: ReasonNotText}
	}
	lines, _, found, closed := splitText(text)
	switch {
	case !found:
		return Skill{}, &unfitError{reason: ReasonNoFrontMatter}
	case !closed:
		return Skill{}, &unfitError{reason: ReasonOpenFrontMatter}
	}
	s := Skill{Folder: l.library.shown(at), Source: at.source, SHA256: c.fingerprint(), Files: c.files(at), at: at}
	if !utf8.Valid(c.kept) {
		s.warn(Warning{Code: WarningEncoding, Text: encoding})
	}
	return s, s.describe(parseFrontMatter(lines), path.Base(at.path))
}

// validName is what names of skills are made of.
var validName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9-]{1,64}$`) })

// describe takes over what the front matter says of a skill in a folder of that name.
func (s *Skill) describe(m frontMatter, folder string) error {
	written := m.values["name"]
	switch {
	case validName().MatchString(folder):
		s.Name = folder
	case validName().MatchString(written):
		s.Name = written
	default:
		return &unfitError{reason: ReasonName}
	}
	if written != folder {
		s.warn(Warning{Code: WarningName, Text: firstCharacters(written, maxName)})
	}
	for _, field := range []struct {
		to    *string
		key   string
		limit int
	}{
		{&s.Description, "description", maxDescription},
		{&s.License, "license", maxLicense},
		{&s.Compatibility, "compatibility", maxCompatibility},
		{&s.AllowedTools, "allowed-tools", maxAllowedTools},
	} {
		text := m.values[field.key]
		*field.to = firstCharacters(text, field.limit)
		if *field.to != text {
			s.warn(Warning{Code: WarningCut, Text: field.key})
		}
	}
	if s.Description == "" {
		return &unfitError{reason: ReasonNoDescription}
	}
	for _, key := range m.repeated {
		if slices.Contains([]string{"name", "description", "license", "compatibility", "allowed-tools"}, key) {
			s.warn(Warning{Code: WarningRepeated, Text: key})
		}
	}
	if m.unread > 0 {
		s.warn(Warning{Code: WarningUnread, Count: m.unread})
	}
	return nil
}

// firstCharacters returns the first characters of a text, at most so many.
func firstCharacters(text string, limit int) string {
	for at := range text {
		if limit--; limit < 0 {
			return text[:at]
		}
	}
	return text
}
