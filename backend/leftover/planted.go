package leftover

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// Planted is a file or an empty folder that is made for a while at a place where others
// look for one, and which other processes of Fairlead may make there too.
type Planted struct {
	record *Record
	root   *os.Root
	entry  *Entry
	thing  Thing
}

// Plant makes a file at a local path in root, which lies at dir; false where there is
// something that no other process has planted, or where it cannot be made. A file that
// another has planted is used, and goes with the last of its users.
func (r *Record) Plant(root *os.Root, dir, name, content string) (*Planted, bool) {
	t := Thing{Kind: File, Root: Path(dir), Name: Path(name), Size: int64(len(content)), Content: content, Since: time.Now()}
	return r.plantThing(root, t, func(p *Planted) error { return p.makeFile(content) })
}

// PlantFolder does the same with an empty folder.
func (r *Record) PlantFolder(root *os.Root, dir, name string) (*Planted, bool) {
	t := Thing{Kind: Folder, Root: Path(dir), Name: Path(name), Since: time.Now()}
	return r.plantThing(root, t, (*Planted).makeFolder)
}

func (r *Record) plantThing(root *os.Root, t Thing, create func(p *Planted) error) (*Planted, bool) {
	p := &Planted{record: r, root: root, thing: t}
	if info, err := root.Lstat(string(t.Name)); err == nil && !p.isShared(info) {
		return nil, false // which is usual, and costs little
	}
	do := func() error {
		info, err := root.Lstat(string(t.Name))
		if err == nil {
			return p.shareThing(info)
		}
		return create(p)
	}
	err := r.withRecordsLocked(do)
	if errors.Is(err, errBusy) {
		err = do() // what is kept from a command matters more than who takes it away
	}
	return p, err == nil
}

// isShared reports whether another process has planted what lies there.
func (p *Planted) isShared(info fs.FileInfo) bool {
	return p.record.Names(p.root, string(p.thing.Root), string(p.thing.Name), info)
}

// withRecordsLocked calls do while no other process looks through the records.
func (r *Record) withRecordsLocked(do func() error) error {
	if r == nil {
		return do()
	}
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	return withFolderLocked(r.dir, do)
}

// add puts it on record, as something to come or that was found.
func (p *Planted) add() (err error) {
	if p.entry, err = p.record.Add(p.thing); err == nil {
		err = p.record.Sync()
	}
	if err != nil {
		p.entry.Gone()
	}
	return err
}

// shareThing uses what another process has planted.
func (p *Planted) shareThing(info fs.FileInfo) error {
	if !p.isShared(info) {
		return fs.ErrExist
	}
	p.thing.Inode, p.thing.Since = inodeOf(info), info.ModTime()
	return p.add()
}

// makeFile makes the file, without a name at first where that can be: its inode is on
// record before anybody sees it then.
func (p *Planted) makeFile(content string) error {
	name := string(p.thing.Name)
	parent, err := p.root.OpenRoot(path.Dir(name))
	if err != nil {
		return err
	}
	defer func() { _ = parent.Close() }()
	file, err := Unnamed(parent, 0o644)
	if err != nil {
		return p.makeNamed(content)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err == nil {
		_, err = file.WriteString(content)
	}
	if err != nil {
		return err
	}
	p.thing.Inode = inodeOf(info)
	if err := p.add(); err != nil {
		return err
	}
	if err = Name(file, parent, path.Base(name)); err == nil {
		return nil
	}
	p.entry.Gone()
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	p.thing.Inode = 0
	return p.makeNamed(content)
}

// makeNamed makes the file under its name.
func (p *Planted) makeNamed(content string) error {
	if err := p.add(); err != nil {
		return err
	}
	name := filepath.FromSlash(string(p.thing.Name))
	file, err := p.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		p.entry.Gone()
		return err
	}
	err = p.setFound(file.Stat())
	if err == nil {
		_, err = file.WriteString(content)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		_ = p.root.Remove(name) // half of one could mean something else
		p.entry.Gone()
	}
	return err
}

func (p *Planted) makeFolder() error {
	if err := p.add(); err != nil {
		return err
	}
	name := string(p.thing.Name)
	err := p.root.Mkdir(name, 0o755)
	if err != nil {
		p.entry.Gone()
		return err
	}
	return p.setFound(p.root.Lstat(name))
}

// setFound notes which file or folder was made.
func (p *Planted) setFound(info fs.FileInfo, err error) error {
	if err != nil {
		return err
	}
	p.thing.Inode = inodeOf(info)
	return p.entry.Found(info)
}

// Remove takes it away, unless another process uses it, or something else lies there by
// now. Its path in root is name.
func (p *Planted) Remove(root *os.Root, name string) error {
	return p.record.withRecordsLocked(func() error {
		used, err := false, error(nil)
		if p.entry != nil {
			used, err = inUse(p.record.dir, p.record.filePath(), p.thing)
		}
		if err == nil && !used {
			err = p.thing.withName(name).removeIn(root)
		}
		if err == nil {
			p.entry.Gone()
		}
		return err
	})
}
