package change

import (
	"bufio"
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
	var whole int64
	lines := bufio.NewReader(file)
	for {
		text, err := lines.ReadBytes('\n')
		var line touchedLine
		if err != nil || json.Unmarshal(text, &line) != nil {
			break // the rest was cut off, and what it told of counts from the time before
		}
		whole += int64(len(text))
		if line.Path == "" {
			t.since = line.Since
		} else if _, known := t.paths[string(line.Path)]; !known {
			t.paths[string(line.Path)] = line.Since
		}
	}
	err = file.Truncate(whole)
	if err == nil && whole == 0 {
		err = t.write([]touchedLine{{Since: begins}})
		t.since = begins
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return t, nil
}

func (t *touched) close() error { return t.file.Close() }

// write adds lines, which survive a power cut.
func (t *touched) write(lines []touchedLine) error {
	out := bufio.NewWriter(t.file)
	encoder := json.NewEncoder(out)
	for _, line := range lines {
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return errors.Join(out.Flush(), t.file.Sync())
}

// add adds the paths in a layer that are not known, which were touched since the time before,
// and has what comes next count from another time, at which none of that was done yet. visit is
// called with each path in the layer.
func (t *touched) add(upper *os.Root, since int64, visit func(name string, d fs.DirEntry)) error {
	var fresh []touchedLine
	err := fs.WalkDir(upper.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
			return nil // a folder that nobody may look into counts as a whole; what goes counts for nothing
		}
		if err != nil {
			return err
		}
		if name == "." {
			return nil
		}
		visit(name, d)
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
