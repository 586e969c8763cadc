package workspace

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"fairlead/backend/message"
)

const (
	// shownSimilar is how many similar names an error shows.
	shownSimilar = 3
	// comparedNames is how many names of a folder are compared.
	comparedNames = 2000
	// maxCompared is the longest name worth comparing, in bytes.
	maxCompared = 255
)

// NotFound returns the error for a place where nothing is: FILE_NOT_FOUND, with
// what there is of similar name.
func (f *Folder) NotFound(place Place) error {
	text := quotePath(place.given) + " does not exist"
	if names := f.similarPaths(place.parent, place.absent); len(names) > 0 {
		text += "; similar: " + strings.Join(names, ", ")
	}
	return toolError(message.FileNotFound, "%s", text)
}

// similarPaths returns the paths in a folder whose names look most like name.
func (f *Folder) similarPaths(folder, name string) []string {
	if len(name) > maxCompared {
		return nil
	}
	r, err := f.walkDirect(folder)
	if err != nil {
		return nil
	}
	defer r.close()
	if r.openArrived() != nil {
		return nil
	}
	// A part of the names is better than none.
	entries, _, _ := r.lastFolder().readEntries(context.Background(), comparedNames)
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	name = legibleName(name)
	for _, entry := range entries {
		other := legibleName(entry.Name())
		longer := max(len(name), len(other))
		if longer-min(len(name), len(other)) > longer/3 || IsSecret(path.Join(folder, entry.Name())) {
			continue
		}
		d := levenshtein.ComputeDistance(foldName(name), foldName(other))
		if d > longer/3 {
			continue
		}
		near = append(near, candidate{quotePath(path.Join(folder, entry.Name())), d})
	}
	slices.SortFunc(near, func(a, b candidate) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	var names []string
	for _, c := range near[:min(len(near), shownSimilar)] {
		names = append(names, c.name)
	}
	return names
}

// legibleName returns a name as commands print it: a model may have seen it there.
func legibleName(name string) string { return strings.ToValidUTF8(name, "\uFFFD") }
