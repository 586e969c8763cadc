//go:build unix

package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// gitCopy is a copy of the user's settings of git without what is a secret in them, for
// commands. It is safe for concurrent use.
type gitCopy struct {
	// home is the user's, and folder where the copies lie.
	home, folder string

	mu sync.Mutex
	// read are the files that were read, as they were then.
	read map[string]gitStamp
	// made is the file that begins the copy; empty where there are no settings.
	made string
	// count numbers the copies, so that a command which runs keeps those it began with.
	count int
}

// gitStamp tells one state of a file from another; the zero value is of no file.
type gitStamp struct {
	size     int64
	modified time.Time
}

const (
	// maxGitFile is the size of a file of settings, in bytes, and maxGitIncludes how many
	// of them name each other.
	maxGitFile     = 1 << 20
	maxGitIncludes = 64
)

// copyPath is the file with the copy, made anew where the user's settings have changed;
// empty where there are none, or where they cannot be copied.
func (g *gitCopy) copyPath() string {
	if g.home == "" {
		return ""
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.read != nil && g.isCurrent() {
		return g.made
	}
	g.read = map[string]gitStamp{}
	// In the order in which git reads them.
	var text strings.Builder
	for _, name := range []string{".config/git/config", ".gitconfig"} {
		text.WriteString(g.settingsFor(filepath.Join(g.home, filepath.FromSlash(name))))
	}
	g.made = ""
	if text.Len() > 0 {
		g.made = g.write(text.String())
	}
	return g.made
}

func (g *gitCopy) isCurrent() bool {
	for path, stamp := range g.read {
		if stampOf(path) != stamp {
			return false
		}
	}
	return true
}

func stampOf(path string) gitStamp {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return gitStamp{}
	}
	return gitStamp{info.Size(), info.ModTime()}
}

// settingsFor is what commands get of a file.
func (g *gitCopy) settingsFor(path string) string {
	stamp := stampOf(path)
	if _, again := g.read[path]; again || len(g.read) >= maxGitIncludes {
		return ""
	}
	g.read[path] = stamp
	if stamp == (gitStamp{}) || stamp.size > maxGitFile {
		return ""
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	all, err := parseGitSettings(string(data))
	if err != nil {
		return ""
	}
	var text strings.Builder
	for _, one := range all {
		if isGitInclude(one) && !g.includeCopy(&one, filepath.Dir(path)) {
			continue
		}
		if !isGitSecret(one) {
			text.WriteString(one.String())
		}
	}
	return text.String()
}

func isGitInclude(s gitSetting) bool {
	return s.key == "path" && (s.section == "include" && !s.named || s.section == "includeif" && s.named)
}

// includeCopy makes a setting that includes a file include the copy of it.
func (g *gitCopy) includeCopy(one *gitSetting, folder string) bool {
	path := one.value
	switch {
	case strings.HasPrefix(path, "~/"):
		path = filepath.Join(g.home, path[2:])
	case path == "" || path[0] == '~' || path[0] == '%':
		return false
	case !filepath.IsAbs(path):
		path = filepath.Join(folder, path)
	}
	// A condition can be about the folder of the file that it stands in.
	for _, kind := range []string{"gitdir:", "gitdir/i:"} {
		if rest, ok := strings.CutPrefix(one.subsection, kind+"./"); ok {
			one.subsection = kind + filepath.ToSlash(folder) + "/" + rest
		}
	}
	text := g.settingsFor(path)
	if text == "" {
		return false
	}
	one.value = g.write(text)
	return one.value != ""
}

// write writes a copy and returns its path; empty where that fails.
func (g *gitCopy) write(text string) string {
	g.count++
	path := filepath.Join(g.folder, "gitconfig-"+strconv.Itoa(g.count))
	if os.MkdirAll(g.folder, 0o700) != nil || os.WriteFile(path, []byte(text), 0o600) != nil {
		return ""
	}
	return path
}

// secretGitKeys are the names of settings that hold a secret, whatever it looks like.
var secretGitKeys = []string{"pass", "token", "secret", "apikey", "credential", "cookie", "extraheader"}

// isGitSecret reports whether a setting is kept from commands: it holds a key or a password,
// or names a program that does.
func isGitSecret(s gitSetting) bool {
	return s.section == "credential" || slices.ContainsFunc(secretGitKeys, func(part string) bool { return strings.Contains(s.key, part) }) || holdsSecret(s.subsection) || holdsSecret(s.value)
}

// givenFolder is the folder for what commands are given to read.
func (p Place) givenFolder() string { return filepath.Join(p.Private, "given") }
