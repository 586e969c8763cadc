package change

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"fairlead/backend/leftover"
)

// textsName is the folder of a draft with texts of the folder below as they were before the draft
// changed them, each by its sum. Only where somebody else has changed one too it is needed, to put
// both together.
const textsName = "texts"

// maxKeptTexts is how many are kept of one look at most.
const maxKeptTexts = 500

// keepText keeps the text at a path of the folder, and returns its sum; empty where it is none, is no
// longer what was seen, or cannot be kept.
func (t *touched) keepText(folder *tree, local string, seen State) string {
	at, err := folder.spotOf(local)
	if err != nil {
		return ""
	}
	text, err := readText(at.dir, at.name)
	if err != nil || text == nil {
		return ""
	}
	if now, err := lookAt(at.dir, at.name); err != nil || !now.isUntouched(seen) {
		return ""
	}
	return t.keep(text)
}

// keep keeps a text, and returns its sum; empty where that cannot be done.
func (t *touched) keep(text []byte) string {
	sum := SumOf(text)
	kept := filepath.Join(t.dir, textsName, sum)
	if _, err := os.Lstat(kept); err == nil {
		return sum
	}
	if err := os.Mkdir(filepath.Dir(kept), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return ""
	}
	if os.WriteFile(kept, text, 0o600) != nil {
		return ""
	}
	return sum
}

// textOf returns the text that the folder had at a path; nil where it is not known.
func (t *touched) textOf(local string) []byte {
	sum := t.paths[local].text
	if sum == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(t.dir, textsName, sum))
	if err != nil || SumOf(text) != sum { // a power cut can leave a part of it
		return nil
	}
	return text
}

// mergeTexts finds texts that a draft and somebody else have changed in different places: what is
// applied of those is both together.
func (l *layerLook) mergeTexts() error {
	for i, collision := range l.pending.Collisions {
		if collision != CollisionMeanwhile || !l.pending.isTextChange(i) {
			continue
		}
		local := string(l.pending.Changes[i].Path)
		base := l.text(local)
		if base == nil {
			continue
		}
		theirs, err := l.readText(l.lower, local)
		if err != nil {
			return err
		}
		mine, err := l.readText(l.upper, local)
		if err != nil {
			return err
		}
		if theirs == nil || mine == nil {
			continue
		}
		merged, ok := merge(string(base), string(theirs), string(mine))
		if !ok || merged == string(theirs) {
			continue
		}
		if l.pending.merged == nil {
			l.pending.merged = map[leftover.Path][]byte{}
		}
		l.pending.merged[leftover.Path(local)] = []byte(merged)
		l.pending.Collisions[i] = CollisionMerged
	}
	return nil
}

// readText reads the text at a path; nil where that is none.
func (l *layerLook) readText(t *tree, local string) ([]byte, error) {
	at, err := t.spotOf(local)
	if err != nil {
		return nil, err
	}
	return readText(at.dir, at.name)
}
