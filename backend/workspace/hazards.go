package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// hazardDepth is how many levels below the folder are looked at.
	hazardDepth = 4
	// hazardEntries bounds the look, in entries.
	hazardEntries = 20_000
	// hazardBytes is how much of a file is compared.
	hazardBytes = 256 << 10
)

// Hazards are what lies in the folder that other programs run, or take orders from,
// without being asked to: a command that writes there would have its way with them
// after it ended, outside of all limits.
type Hazards struct {
	// Repositories are the git folders, relative to the folder, with slashes: .git,
	// .git/modules/lib, lib/.git, which is a file where lib is a submodule; and what
	// their settings take more settings or hooks from.
	Repositories []string

	// stamps say what each is, by path.
	stamps map[string]stamp
}

// stamp is what a file is at one moment.
type stamp struct {
	kind string
	mode fs.FileMode
	size int64
	sum  [sha256.Size]byte
}

// The kinds of hazards, as they are said to a person and a model.
const (
	hazardRepository = "git runs what its settings and hooks say"
	hazardGit        = "git runs what it says"
	hazardEditor     = "editors and shells can run what it says when the folder is opened"
)

// autorun are the names of files and folders that editors, shells and assistants act
// on when a folder is opened.
var autorun = map[string]bool{
	".vscode": true, ".idea": true, ".zed": true, ".devcontainer": true, ".fleet": true, ".vs": true,
	".envrc": true, "mise.toml": true, ".mise.toml": true, ".exrc": true, ".nvimrc": true, ".nvim.lua": true,
	".vimrc": true, ".dir-locals.el": true, ".husky": true, "lefthook.yml": true, ".pre-commit-config.yaml": true,
	".mcp.json": true, ".cursor": true, ".claude": true, ".gemini": true, ".codex": true, ".gitmodules": true,
	".yarnrc.yml": true, ".bazelrc": true,
}

// Hazards looks for them. One that cannot be read is left out; the error is that of
// ctx.
func (f *Folder) Hazards(ctx context.Context) (*Hazards, error) {
	h := &hazardSearch{folder: f, found: &Hazards{stamps: map[string]stamp{}}}
	level := []string{"."}
	for depth := 0; depth <= hazardDepth && len(level) > 0; depth++ {
		var next []string
		for _, dir := range level {
			below, err := h.look(ctx, dir)
			if err != nil {
				return nil, err
			}
			next = append(next, below...)
		}
		level = next
	}
	return h.found, nil
}

// hazardSearch is one look under way.
type hazardSearch struct {
	folder *Folder
	found  *Hazards
	seen   int
}

// look looks at one folder and returns those in it that are to be looked at too.
func (h *hazardSearch) look(ctx context.Context, dir string) (below []string, err error) {
	found, err := h.list(ctx, dir)
	if err != nil || h.seen >= hazardEntries {
		return nil, err
	}
	h.seen += found.entries
	for _, name := range found.hazards {
		if strings.EqualFold(path.Base(name), ".git") {
			h.repository(ctx, name)
		} else {
			h.files(ctx, name, hazardEditor)
		}
	}
	if found.bare {
		h.gitFolder(ctx, dir)
	}
	return found.below, nil
}

// repository notes a .git folder, or file.
func (h *hazardSearch) repository(ctx context.Context, name string) {
	h.found.Repositories = append(h.found.Repositories, name)
	h.gitFolder(ctx, name)
	h.named(ctx, name)
	for _, below := range append(h.modules(ctx, path.Join(name, "modules"), 0), h.folders(ctx, path.Join(name, "worktrees"))...) {
		h.found.Repositories = append(h.found.Repositories, below)
		h.gitFolder(ctx, below)
	}
}

// named notes what the settings of a repository take more settings and hooks from, as
// far as it lies in the folder.
func (h *hazardSearch) named(ctx context.Context, repository string) {
	for _, name := range h.folder.gitNames(repository) {
		if _, err := h.folder.root.Lstat(filepath.FromSlash(name)); err == nil {
			h.found.Repositories = append(h.found.Repositories, name)
		}
		h.files(ctx, name, hazardGit)
	}
}

// modules are the git folders of submodules, which can lie in folders.
func (h *hazardSearch) modules(ctx context.Context, dir string, depth int) (found []string) {
	if depth > hazardDepth {
		return nil
	}
	for _, name := range h.folders(ctx, dir) {
		if _, err := h.folder.root.Lstat(filepath.FromSlash(path.Join(name, "HEAD"))); err == nil {
			found = append(found, name)
			found = append(found, h.modules(ctx, path.Join(name, "modules"), depth+1)...)
		} else {
			found = append(found, h.modules(ctx, name, depth+1)...)
		}
	}
	return found
}

// folders lists the folders in one.
func (h *hazardSearch) folders(ctx context.Context, dir string) (found []string) {
	entries, _, err := h.folder.entries(ctx, dir, hazardEntries)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if e.IsDir() {
			found = append(found, path.Join(dir, e.Name()))
		}
	}
	return found
}

func (h *hazardSearch) gitFolder(ctx context.Context, name string) {
	h.note(name, hazardRepository)
	for _, part := range []string{"config", "config.worktree", "commondir", "hooks", "info/attributes"} {
		h.files(ctx, path.Join(name, part), hazardGit)
	}
}

// files notes a file, or those in a folder, but not the samples that git puts there.
func (h *hazardSearch) files(ctx context.Context, name, kind string) {
	info, err := h.folder.root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return
	}
	if !info.IsDir() {
		h.note(name, kind)
		return
	}
	entries, _, err := h.folder.entries(ctx, name, 200)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".sample") {
			h.note(path.Join(name, e.Name()), kind)
		}
	}
}

// note keeps what something is now.
func (h *hazardSearch) note(name, kind string) {
	s := stamp{kind: kind}
	info, err := h.folder.root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return
	}
	if s.mode = info.Mode(); s.mode.IsRegular() {
		s.size = info.Size()
		s.sum = h.folder.sum(name)
	}
	h.found.stamps[name] = s
}

// sum is the hash of the beginning of a file, zero where it cannot be read.
func (f *Folder) sum(name string) (sum [sha256.Size]byte) {
	file, err := f.root.OpenFile(filepath.FromSlash(name), noWait, 0)
	if err != nil {
		return sum
	}
	defer func() { _ = file.Close() }()
	hash := sha256.New()
	if _, err := io.Copy(hash, io.LimitReader(file, hazardBytes)); err != nil && !errors.Is(err, io.EOF) {
		return sum
	}
	return [sha256.Size]byte(hash.Sum(nil))
}

// maxNoticed bounds the sentences about one command.
const maxNoticed = 10

// Since says in a sentence each what is new or changed since before.
func (h *Hazards) Since(before *Hazards) []string {
	var noticed []string
	fresh := "\x00" // the repository that is new, which says enough of what is in it
	for _, name := range slices.Sorted(maps.Keys(h.stamps)) {
		now := h.stamps[name]
		then, known := before.stamps[name]
		switch {
		case strings.HasPrefix(name, fresh+"/"):
			continue
		case !known && now.kind == hazardRepository && now.mode.IsDir():
			fresh = name
		}
		switch {
		case known && (then == now || now.mode.IsDir()):
			continue
		case known:
			noticed = append(noticed, fmt.Sprintf("%s was changed: %s", name, now.kind))
		default:
			noticed = append(noticed, fmt.Sprintf("%s is new: %s", name, now.kind))
		}
	}
	if more := len(noticed) - maxNoticed; more > 0 {
		noticed = append(noticed[:maxNoticed], fmt.Sprintf("and %d more of the kind", more))
	}
	return noticed
}

// BeforeCommand looks at what lies in the folder before a command, and makes what has
// to exist so that it can be kept from it: pins are the paths to keep. after, which is
// called once when the command has ended, takes that away again and says in a sentence
// each what is new or changed, as far as its context gives it time.
func (f *Folder) BeforeCommand(ctx context.Context) (pins []string, after func(context.Context) []string) {
	before, err := f.Hazards(ctx)
	if err != nil {
		return nil, func(context.Context) []string { return nil } // the command is cancelled
	}
	pins, release := f.PinGit(before.Repositories)
	return pins, func(ctx context.Context) []string {
		release()
		now, err := f.Hazards(ctx)
		if err != nil {
			return nil
		}
		return now.Since(before)
	}
}
