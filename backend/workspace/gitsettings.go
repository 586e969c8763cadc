package workspace

import (
	"bufio"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// gitNames returns the paths in the folder from which the settings of a git folder
// take more settings (include.path) or hooks (core.hooksPath). What a setting says is
// taken as it stands, without the quoting and the continued lines that git knows
// (git-config(1)): a person's own settings do not hide from a look like this.
func (f *Folder) gitNames(repository string) []string {
	names := f.included(repository)
	for _, s := range f.gitSettings(repository) {
		if s.key == "core.hookspath" {
			names = append(names, f.inside(path.Dir(repository), s.value)...)
		}
	}
	return names
}

// included are those of further settings.
func (f *Folder) included(repository string) (names []string) {
	for _, s := range f.gitSettings(repository) {
		if s.key == "include.path" || s.key == "includeif.path" {
			names = append(names, f.inside(repository, s.value)...)
		}
	}
	return names
}

// worktreeSettings says whether linked worktrees have settings of their own.
func (f *Folder) worktreeSettings(repository string) bool {
	return slices.ContainsFunc(f.gitSettings(repository), func(s gitSetting) bool {
		return s.key == "extensions.worktreeconfig" && !strings.EqualFold(s.value, "false")
	})
}

// gitSetting is one of a git folder's settings.
type gitSetting struct {
	// key is section.name, in lower case.
	key, value string
}

// gitSettings reads the settings of a git folder; of an unreadable file there are none.
func (f *Folder) gitSettings(repository string) []gitSetting {
	file, err := f.root.OpenFile(filepath.Join(filepath.FromSlash(repository), "config"), noWait, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	var settings []gitSetting
	section := ""
	for lines := bufio.NewScanner(io.LimitReader(file, hazardBytes)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section, _, _ = strings.Cut(strings.Trim(line, "[]"), " ")
			continue
		}
		if key, value, ok := strings.Cut(line, "="); ok {
			settings = append(settings, gitSetting{
				strings.ToLower(section + "." + strings.TrimSpace(key)), strings.Trim(strings.TrimSpace(value), `"`),
			})
		}
	}
	return settings
}

// inside returns a path that git reads from a base, relative to the folder; none where
// it lies elsewhere.
func (f *Folder) inside(base, value string) []string {
	whole := filepath.FromSlash(value)
	if !filepath.IsAbs(whole) {
		whole = filepath.Join(f.path, filepath.FromSlash(base), whole)
	}
	name, err := filepath.Rel(f.path, whole)
	if err != nil || name == "." || !filepath.IsLocal(name) {
		return nil
	}
	return []string{filepath.ToSlash(name)}
}
