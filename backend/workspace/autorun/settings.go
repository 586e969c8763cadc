package autorun

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	// maxSettings is the size of a settings file that is still read, in bytes.
	maxSettings = 1 << 20
	// maxFiles bounds the files that the settings of one repository come from.
	maxFiles = 200
	// maxIncluded is how deep settings may include others, as in git.
	maxIncluded = 10
	// askTime bounds one question to git.
	askTime = 2 * time.Second
)

// AskGit runs the user's git with arguments and returns what it printed. It runs with
// the user's home and PATH, in no repository, and ends when ctx does.
type AskGit func(ctx context.Context, arguments ...string) ([]byte, error)

// source is a file that settings came from, or would come from if it were there.
type source struct {
	path string
	id   identity
	// known means that id tells this file from another one.
	known bool
}

// answer is what the settings of a repository were.
type answer struct {
	// starts are the files that were read before any was included.
	starts   []string
	settings []setting
	sources  []source
	// gaps are the files that could not be read.
	gaps []Notice
	// fresh means that a file had changed so shortly before that a further change could
	// go unnoticed.
	fresh bool
}

// readSettings returns the settings that hold in a repository. They are what git says, and
// what is read here: that includes what git would read under another condition, such
// as on another branch. As long as no file has changed that they came from, or could
// come from, they are not read again.
func (s *Scanner) readSettings(ctx context.Context, r repository) answer {
	starts := s.startFiles(r)
	s.mu.Lock()
	known, ok := s.answers[r.dir]
	s.mu.Unlock()
	if ok && slices.Equal(known.starts, starts) && known.isCurrent() {
		return known
	}
	a := answer{starts: starts}
	for _, path := range starts {
		a.read(path, s.home, 0)
	}
	if s.git != nil && len(a.gaps) == 0 && isPlainFile(filepath.Join(r.dir, "HEAD")) && isPlainFile(filepath.Join(r.dir, "commondir")) {
		a.add(s.askGit(ctx, r))
	}
	if !a.fresh && ctx.Err() == nil {
		s.mu.Lock()
		s.answers[r.dir] = a
		s.mu.Unlock()
	}
	return a
}

// add takes what git says. It can have been built for other system-wide files.
func (a *answer) add(found []setting) {
	a.settings = append(a.settings, found...)
	for _, f := range found {
		if filepath.IsAbs(f.origin) && !slices.ContainsFunc(a.sources, func(src source) bool { return src.path == f.origin }) {
			a.sources = append(a.sources, sourceOf(f.origin))
		}
	}
}

// startFiles are the files that settings come from before any is included.
func (s *Scanner) startFiles(r repository) []string {
	var files []string
	if runtime.GOOS != "windows" {
		files = append(files, "/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig")
	}
	configHome := s.configHome
	if configHome == "" && s.home != "" {
		configHome = filepath.Join(s.home, ".config")
	}
	if configHome != "" {
		files = append(files, filepath.Join(configHome, "git", "config"))
	}
	if s.home != "" {
		files = append(files, filepath.Join(s.home, ".gitconfig"))
	}
	return append(files, filepath.Join(r.common, "config"), filepath.Join(r.dir, "config.worktree"))
}

// read takes the settings of a file, and of those that it includes.
func (a *answer) read(path, home string, depth int) {
	if slices.ContainsFunc(a.sources, func(src source) bool { return src.path == path }) {
		return
	}
	if depth > maxIncluded || len(a.sources) >= maxFiles {
		a.gaps = append(a.gaps, Notice{Code: CodeIncomplete, Kind: Git, Path: path, Gap: GapSettings})
		return
	}
	looked := time.Now()
	src := sourceOf(path)
	a.sources = append(a.sources, src)
	text, err := readSettings(path)
	if err != nil {
		a.gaps = append(a.gaps, Notice{Code: CodeIncomplete, Kind: Git, Path: path, Gap: GapSettings})
		return
	}
	if a.fresh = a.fresh || !src.isOld(looked) || sourceOf(path) != src; text == "" {
		return
	}
	for _, found := range parse(text, path) {
		a.settings = append(a.settings, found)
		if included, ok := found.includedFile(home); ok {
			a.read(included, home, depth+1)
		}
	}
}

// readSettings returns the text of a settings file: none of one that is not there, and
// an error for what git would wait for, or what is too large.
func readSettings(path string) (string, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSettings {
		return "", errors.New("not a settings file")
	}
	text, err := io.ReadAll(io.LimitReader(file, maxSettings))
	return string(text), err
}

// isPlainFile reports whether git can read a file without waiting for anything: it is a
// regular one, or there is none.
func isPlainFile(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}

// sourceOf identifies a file. An empty one is as good as none: Fairlead makes such
// files while commands run.
func sourceOf(path string) source {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() && info.Size() == 0 {
		return source{path: path, known: true}
	}
	id, known := identityOf(info)
	return source{path: path, id: id, known: known}
}

// isOld reports whether a change after the file was looked at is sure to show.
func (src source) isOld(looked time.Time) bool {
	return src.id == identity{} || isSettled(src.id.at, looked)
}

// isCurrent reports whether the files are still those that the answer came from.
func (a *answer) isCurrent() bool {
	for _, src := range a.sources {
		if !src.known || sourceOf(src.path) != src {
			return false
		}
	}
	return true
}

// includedFile returns the file that a setting includes, whatever its condition.
func (s setting) includedFile(home string) (string, bool) {
	if s.key != "include.path" && (s.sectionName() != "includeif" || s.variableName() != "path") {
		return "", false
	}
	return expandPath(s.value, filepath.Dir(s.origin), home)
}

// expandPath returns the path that a value stands for (git-config(1), "pathname"), relative
// to a base.
func expandPath(value, base, home string) (string, bool) {
	value = strings.TrimPrefix(value, ":(optional)")
	if below, ok := strings.CutPrefix(value, "~/"); ok {
		return filepath.Join(home, filepath.FromSlash(below)), home != ""
	}
	if value == "" || strings.HasPrefix(value, "~") || strings.HasPrefix(value, "%(prefix)") || strings.ContainsRune(value, 0) {
		return "", false // another user's home, or where git is installed
	}
	if local := filepath.FromSlash(value); !filepath.IsAbs(local) {
		return base + string(filepath.Separator) + local, true // links may lead on before ".." leads back
	}
	return filepath.FromSlash(value), true
}

// askGit asks git for the settings of a repository; none where git cannot be asked.
func (s *Scanner) askGit(ctx context.Context, r repository) []setting {
	ctx, stop := context.WithTimeout(ctx, askTime)
	defer stop()
	output, err := s.git(ctx, "--git-dir="+r.dir, "--no-pager", "config", "--list", "--show-origin", "--null", "--includes")
	if err != nil {
		return nil
	}
	var found []setting
	fields := strings.Split(string(output), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		key, value, ok := strings.Cut(fields[i+1], "\n")
		if !ok {
			value = "true"
		}
		found = append(found, setting{key: key, value: value, origin: strings.TrimPrefix(fields[i], "file:")})
	}
	return found
}
