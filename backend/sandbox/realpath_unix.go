//go:build unix

package sandbox

import (
	"path/filepath"
	"slices"
)

// realPlace is a place by the names that the system has for its folders, without links: it
// asks the rules for them, and a rule with another name would say nothing. What may be
// read is named with its link too, which has to be read to be followed.
func (p Place) realPlace() Place {
	p.Workspace, p.Private = realPath(p.Workspace), realPath(p.Private)
	if p.Home != "" {
		p.Home = realPath(p.Home)
	}
	var read []string
	for _, name := range p.Read {
		read = append(read, filepath.Clean(name), realPath(name))
	}
	slices.Sort(read)
	p.Read = slices.Compact(read)
	hide := make([]string, len(p.Hide))
	for i, name := range p.Hide {
		hide[i] = realPath(name)
	}
	p.Hide = hide
	var install []string
	for _, name := range p.Install {
		install = append(install, realPath(name))
	}
	p.Install = install
	return p
}

// realPath follows the links in a path, as far as there is something by that name.
func realPath(name string) string {
	if found, err := filepath.EvalSymlinks(name); err == nil {
		return found
	}
	dir := filepath.Dir(name)
	if dir == name {
		return name
	}
	return filepath.Join(realPath(dir), filepath.Base(name))
}
