package change

import (
	"bufio"
	"bytes"
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
	// paths are those known, and since is that of what comes next.
	paths map[string]int64
	since int64
	// torn is set where the last line of the file was cut off.
	torn bool
}

// touchedName is its file in the folder of a draft.
const touchedName = "touched"

// touchedLine is one line of the file: a path, or, without one, since when what follows is.
type touchedLine struct {
	Path  leftover.Path `json:"path,omitempty"`
	Since int64         `json:"since"`
}

// openTouched reads the file, and makes it where the draft begins, at a time.
func openTouched(dir string, begins int64) (*touched, error) {
	file, err := os.OpenFile(filepath.Join(dir, touchedName), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	t := &touched{file: file, paths: map[string]int64{}}
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
		if line.Path == "" {
			t.since = line.Since
		} else if _, known := t.paths[string(line.Path)]; !known {
			t.paths[string(line.Path)] = line.Since
		}
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
// and has what comes next count from another time, at which none of that was done yet. visit is
// called with each path in the layer.
func (t *touched) add(upper *os.Root, since int64, visit func(name string, info fs.FileInfo)) error {
	var fresh []touchedLine
	// A folder that nobody may look into counts as a whole.
	err := Walk(upper, ".", func(name string, info fs.FileInfo) error {
		if name == "." {
			return nil
		}
		visit(name, info)
		if _, known := t.paths[name]; !known {
			fresh = append(fresh, touchedLine{leftover.Path(name), t.since})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(fresh) == 0 {
		t.since = since // the file has an earlier time, which does no harm
		return nil
	}
	if err := t.write(append(fresh, touchedLine{Since: since})); err != nil {
		return err
	}
	for _, line := range fresh {
		t.paths[string(line.Path)] = line.Since
	}
	t.since = since
	return nil
}

// sinceOf returns since when a path is no longer that of the folder: where it is not known
// itself, it is what lies over it, such as a folder that was replaced.
func (t *touched) sinceOf(local string) int64 {
	for at := local; at != "."; at = path.Dir(at) {
		if since, known := t.paths[at]; known {
			return since
		}
	}
	return t.since
}
