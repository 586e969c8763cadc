package file

import (
	"context"
	"fmt"
	"path"
	"strings"

	record "fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// removal is what is to leave a path: a file, a link, or a folder with all that is in it.
type removal struct {
	place workspace.Place
	// asked is the path as the call has it, and path as it is shown.
	asked, path string
	// entries are what lies there, itself first.
	entries []record.Entry
	// content is that of a file whose text can be shown.
	content []byte
	// lost are those that could not be brought back if they were deleted.
	lost []record.Entry
	// autorun names the programs that act by themselves on something of it; empty for none.
	autorun message.Autorun
}

// removal looks at what is to leave a path.
func (s *session) removal(ctx context.Context, path string) (removal, error) {
	if path == "" {
		return removal{}, invalidArguments("the path is empty")
	}
	place, err := s.folder.Removable(path)
	if err != nil {
		return removal{}, err
	}
	r := removal{place: place, asked: path, path: workspace.Shown(place.Path)}
	if r.entries, err = s.folder.Entries(ctx, place); err != nil {
		return removal{}, err
	}
	if r.lost, err = s.folder.Lost(place, r.entries); err != nil {
		return removal{}, err
	}
	r.autorun = s.autorunOf(ctx, place.Path, r.entries, place.Path)
	if place.Info.Mode().IsRegular() && place.Info.Size() <= maxText {
		if file, err := s.folder.OpenFound(place.Path); err == nil {
			defer func() { _ = file.Close() }()
			if content, err := file.ReadAll(ctx, maxText); err == nil && workspace.RefuseBinary(place.Path, content) == nil {
				r.content = content
			}
		}
	}
	return r, ctx.Err()
}

// autorunOf names the programs that act by themselves on something that lies, or would lie, at
// a path.
func (s *session) autorunOf(ctx context.Context, from string, entries []record.Entry, to string) message.Autorun {
	if programs, ok := s.folder.RunsBy(ctx, to); ok {
		return message.Autorun(programs)
	}
	for _, e := range entries[1:] {
		below := path.Join(to, strings.TrimPrefix(string(e.Path), from+"/"))
		if programs, ok := workspace.RunsByName(below); ok {
			return message.Autorun(programs)
		}
	}
	return ""
}

// removeAgain returns the removal with what is found now. It fails with STALE_FILE where that
// is not what was looked at.
func (s *session) removeAgain(ctx context.Context, r removal) (removal, error) {
	now, err := s.removal(ctx, r.asked)
	if err != nil {
		return removal{}, err
	}
	if now.fingerprint() != r.fingerprint() {
		return removal{}, &message.ToolError{Code: message.StaleFile, Message: r.path + " changed after it was looked at: look at it again"}
	}
	return now, nil
}

// fingerprint names what was looked at.
func (r removal) fingerprint() string {
	var text strings.Builder
	for _, e := range r.entries {
		fmt.Fprintf(&text, "%q %s %d %d %d %q\n", e.Path, e.State.Kind, e.State.Size, e.State.Modified, e.State.Inode, e.State.Target)
	}
	return fingerprintOf(r.path, []byte(text.String()+string(r.autorun)))
}

// describe returns what it is, in a few words.
func (r removal) describe() string {
	files, folders, size := 0, 0, int64(0)
	for _, e := range r.entries {
		if e.State.Kind == record.Folder {
			folders++
		} else {
			files++
		}
		size += e.State.Size
	}
	switch {
	case r.place.IsLink():
		return r.path + " (a link)"
	case folders == 0:
		return fmt.Sprintf("%s (%d bytes)", r.path, size)
	}
	return fmt.Sprintf("%s (a folder: %d files in it, %d folders, %d bytes)", r.path, files, folders-1, size)
}

// newPreview is what the user is shown of a deletion: the lines of a text, or a list of all
// that goes.
func (r removal) newPreview() message.Preview {
	p := message.Preview{
		Effect: message.EffectFiles, Path: r.path, Autorun: r.autorun, Fingerprint: r.fingerprint(),
		Undo: workspace.UndoOf(message.UndoExact, r.lost),
	}
	if r.content != nil {
		text, _, removed := record.UnifiedDiff(r.place.Path, "", r.content, nil)
		p.Diff, p.Removed = text, removed
		return p
	}
	var list strings.Builder
	fmt.Fprintf(&list, "--- %s\n+++ /dev/null\n@@ -1,%d +0,0 @@\n", record.DiffName("a/"+r.place.Path), len(r.entries))
	for _, e := range r.entries {
		list.WriteString("-" + describeEntry(e) + "\n")
	}
	p.Diff, p.Removed = list.String(), len(r.entries)
	return p
}

// describeEntry is one line of a list.
func describeEntry(e record.Entry) string {
	name := workspace.Shown(string(e.Path))
	switch e.State.Kind {
	case record.Folder:
		return name + "/"
	case record.Link:
		return name + " -> " + workspace.Shown(string(e.State.Target))
	}
	return fmt.Sprintf("%s (%d bytes)", name, e.State.Size)
}
