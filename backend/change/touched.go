package change

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"fairlead/backend/leftover"
)

// touched says since when each path of a draft was no longer that of the folder, as times of its
// file system: what changes there in the folder at that time or later is somebody else's. None is
// later than it was. It is kept in a file beside the layer, to which is only added.
type touched struct {
	file *os.File
	// dir is the folder of the draft.
	dir string
	// paths are those known, and since is the time of what comes next.
	paths map[string]touch
	since int64
	// left says when the folder was changed last at a path by what was applied of the draft.
	left map[string]int64
	// units are the sums of repositories and databases before anything of them was changed; empty
	// where that is not known.
	units map[leftover.Path]string
	// torn is set where the last line of the file was cut off.
	torn bool
}

// touch is what is known of a path.
type touch struct {
	since int64
	// there reports whether the folder had something there when the path was added, and text is the
	// sum of what that was, where it is kept.
	there bool
	text  string
}

// touchedName is its file in the folder of a draft.
const touchedName = "touched"

// touchedLine is one line of the file: a path, a unit with its sum, or, without both, since when what
// follows is.
type touchedLine struct {
	Path  leftover.Path `json:"path,omitempty"`
	Unit  leftover.Path `json:"unit,omitempty"`
	Since int64         `json:"since,omitempty"`
	Sum   string        `json:"sum,omitempty"`
	// There is set where the folder had something at the path, and Text is touch.text.
	There bool   `json:"there,omitempty"`
	Text  string `json:"text,omitempty"`
	// Left is that of touched, for a path.
	Left int64 `json:"left,omitempty"`
	// Applied is set where it was applied, and is the folder's again.
	Applied bool `json:"applied,omitempty"`
}

// openTouched reads the file, and makes it where the draft begins, at a time.
func openTouched(dir string, begins int64) (*touched, error) {
	file, err := os.OpenFile(filepath.Join(dir, touchedName), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	t := &touched{file: file, dir: dir, paths: map[string]touch{}, left: map[string]int64{}, units: map[leftover.Path]string{}}
	begun := false
	lines := bufio.NewReader(file)
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil {
			t.torn = len(text) > 0
			break
		}
		var line touchedLine
		if json.Unmarshal(text, &line) != nil {
			continue // it was cut off, and what it told of counts from the time before
		}
		begun = true
		t.take(line)
	}
	if !begun {
		t.since = begins
		if err := t.write([]touchedLine{{Since: begins}}); err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	return t, nil
}

func (t *touched) close() error { return t.file.Close() }

// take takes over what a line says.
func (t *touched) take(line touchedLine) {
	_, known := t.paths[string(line.Path)]
	switch {
	case line.Applied:
		delete(t.paths, string(line.Path))
		delete(t.units, line.Unit)
	case line.Unit != "":
		t.units[line.Unit] = line.Sum
	case line.Path == "":
		t.since = line.Since
	case line.Left != 0:
		t.left[string(line.Path)] = line.Left
	case !known:
		t.paths[string(line.Path)] = touch{line.Since, line.There, line.Text}
	}
}

// write adds lines, which survive a power cut. They are written at once: somebody else may read
// the file, and add to it.
func (t *touched) write(lines []touchedLine) error {
	var text bytes.Buffer
	if t.torn {
		text.WriteByte('\n')
	}
	encoder := json.NewEncoder(&text)
	for _, line := range lines {
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	_, err := t.file.Write(text.Bytes())
	t.torn = t.torn && err != nil
	return errors.Join(err, t.file.Sync())
}

// add adds the paths in a layer that are not known, which were touched since the time before,
// and has what comes next count from another time, at which none of that was done yet. folder is
// what lies below the layer. visit is called with each path in the layer.
func (t *touched) add(upper *os.Root, folder *tree, since int64, visit func(name string, info fs.FileInfo)) error {
	var fresh []touchedLine
	absent, kept := "", 0 // a folder that is not there below, the last one, and how many texts are kept
	// A folder that nobody may look into counts as a whole.
	err := Walk(upper, ".", func(name string, info fs.FileInfo) error {
		if name == "." {
			return nil
		}
		visit(name, info)
		if _, known := t.paths[name]; known {
			return nil
		}
		line := touchedLine{Path: leftover.Path(name), Since: t.since}
		if absent == "" || !isWithin(name, absent) {
			below, err := folder.glance(name)
			if line.There = err == nil && below.Kind != None; !line.There && info.IsDir() {
				absent = name
			}
			if info.Mode().IsRegular() && below.Kind == File && below.Changed < t.since && kept < maxKeptTexts {
				line.Text = t.keepText(folder, name, below)
				kept++
			}
		}
		fresh = append(fresh, line)
		return nil
	})
	if err != nil {
		return err
	}
	if len(fresh) == 0 {
		t.since = since // the file has an earlier time, which does no harm
		return nil
	}
	fresh = append(append(fresh, t.freshUnits(fresh, folder)...), touchedLine{Since: since})
	return t.note(fresh)
}

// note adds lines, and takes over what they say.
func (t *touched) note(lines []touchedLine) error {
	if err := t.write(lines); err != nil {
		return err
	}
	for _, line := range lines {
		t.take(line)
	}
	return nil
}

// freshUnits are the units of paths that are added of which no sum is known, with what they are in
// the folder, if nobody has changed them meanwhile.
func (t *touched) freshUnits(fresh []touchedLine, folder *tree) []touchedLine {
	changes := make([]Change, len(fresh))
	for i, line := range fresh {
		changes[i].Path = line.Path
	}
	var lines []touchedLine
	for _, unit := range unitsOf(changes, func(local leftover.Path) bool { return isThere(folder, local) }) {
		if _, known := t.units[unit]; known {
			continue
		}
		since := t.since
		for name, one := range t.paths {
			if inUnit(leftover.Path(name), unit) {
				since = min(since, one.since)
			}
		}
		line := touchedLine{Unit: unit}
		sum, err := folder.sumUnit(context.Background(), unit, unit)
		if err == nil {
			if changed, err := folder.isTouched(unit, since); err == nil && !changed {
				line.Sum = sum
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// wasThere reports whether the folder had something at a path when the draft changed it.
func (t *touched) wasThere(local string) bool { return t.paths[local].there }

// sumOf returns the sum of a unit before anything of it was changed; empty where it is not known.
func (t *touched) sumOf(unit leftover.Path) string { return t.units[unit] }

// leftOf returns when the folder was changed last at a path by what was applied of the draft; 0 where
// it was not.
func (t *touched) leftOf(local string) int64 { return t.left[local] }

// sinceOf returns since when a path is no longer that of the folder: where it is not known
// itself, it is what lies over it, such as a folder that was replaced.
func (t *touched) sinceOf(local string) int64 {
	for at := local; at != "."; at = path.Dir(at) {
		if one, known := t.paths[at]; known {
			return one.since
		}
	}
	return t.since
}
