package change

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fairlead/backend/leftover"
)

// Pending are the changes of a command that ran in a copy of the folder. Nothing of them is
// in the folder yet.
type Pending struct {
	Layer *Layer
	// Changes are what applying them would do, a folder before what is in it.
	Changes []Change
	// Collisions say of changes, by their index, why they do not fit the folder.
	Collisions map[int]Collision
	// Progress is told once a second how far applying them is, in percent; may be nil.
	Progress func(percent int)

	// draft is the one that was read; nil for the layer of a command.
	draft *Draft
	// times are when the entries of folders changed, before and in the copy.
	times []FolderTime
	// closed are folders of the layer that their owner may not read, enter or change, with
	// their modes.
	closed map[string]fs.FileMode
	// opaque are folders of the layer that hide what the folder has at their paths.
	opaque []string
	// marked are paths of the layer with attributes of the overlay's own, and unlisted folders
	// of it with entries that are no changes.
	marked, unlisted map[string]bool
	// units are the repositories and databases that changes are part of, by their index.
	units map[int]leftover.Path
	// merged are the texts of changes together with what somebody else did.
	merged map[leftover.Path][]byte
	// without has the headers of the hunks that are left out of changes.
	without map[leftover.Path][]string
}

// Collision is why a change does not fit the folder.
type Collision string

// The collisions.
const (
	// CollisionMeanwhile is a path that somebody else has changed since the command began.
	CollisionMeanwhile Collision = "meanwhile"
	// CollisionMerged is a text that somebody else has changed too, in other places: what is
	// applied is both together.
	CollisionMerged Collision = "merged"
	// CollisionOpen is a file that another program has open for writing.
	CollisionOpen Collision = "open"
)

// PendingTexts returns what a file was before a change and what it is after it. ok reports whether
// both are texts that are not too long; nothing is an empty one.
func (r *Recorder) PendingTexts(p *Pending, index int) (before, after []byte, ok bool, err error) {
	c := p.Changes[index]
	read := func(root *os.Root, s State) ([]byte, error) {
		switch s.Kind {
		case None:
			return []byte{}, nil
		case File:
		default:
			return nil, nil
		}
		t, err := newTree(Opened{root, "."})
		if err != nil {
			return nil, err
		}
		defer t.close()
		at, err := t.spotOf(string(c.Path))
		if err != nil {
			return nil, err
		}
		return readText(at.dir, at.name)
	}
	if before, err = read(r.Root, c.Before); err == nil {
		after, err = read(p.Layer.Upper, c.After)
	}
	if merged := p.merged[c.Path]; merged != nil {
		after = merged
	}
	return before, after, err == nil && before != nil && after != nil, err
}

// ID names the changes until they are applied or dropped, as Aside.ID does.
func (p *Pending) ID() string { return filepath.Base(p.Layer.Dir) }

// Fingerprint names what the changes do, to the byte, and what is in their way. What git notes in an
// index, at every look, is left out of what it was.
func (p *Pending) Fingerprint() string {
	sum := sha256.New()
	for i, c := range p.Changes {
		if isIndex(c.Path) && c.Before.Kind == File {
			c.Before = State{Kind: File, Mode: c.Before.Mode}
		}
		fmt.Fprintf(sum, "%s ", p.Collisions[i])
		for _, s := range []State{c.Before, c.After} {
			fmt.Fprintf(sum, "%s %o %d %d %d %d %q ", s.Kind, unixMode(s.Mode), s.Size, s.Modified, s.Inode, s.Changed, s.Target)
		}
		fmt.Fprintf(sum, "%s %q %q %q %v\n", c.Op, c.Path, c.From, c.To, c.After.Attributes)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
