// Package install turns the definition of a server that fetches its program at every start,
// such as npx -y PACKAGE, into an install: a package of an exact version that is fetched
// once, confined, into a folder of its own, is pinned by hashes, and starts from there
// without a package manager and without the network.
//
// Recognise tells which definitions fetch. Resolve finds out what one would fetch today,
// for a question to the user, Install fetches exactly that, and Installed.Command says how it is
// started. Packages of npm can be installed. Those of Python are recognised, and refused with
// what to write instead.
package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// The bounds of an install.
const (
	// commandTime bounds one command of a package manager.
	commandTime = 5 * time.Minute
	// mostLock is the most bytes of a lock file, and mostPackages how many packages one may
	// list.
	mostLock, mostPackages = 16 << 20, 5000
	// mostBytes and mostFiles bound what an install takes: bytes, and files with folders and
	// links.
	mostBytes, mostFiles = 1 << 30, 200_000
)

// Options say where an Installer works, and with what.
type Options struct {
	// Dir is the folder in which every install has a folder, an absolute path. It is made when it is
	// needed.
	Dir string
	// Run runs commands confined.
	Run Runner
	// Outside are folders from which no program is taken, such as workspaces, where a model
	// can write.
	Outside []string
}

// Installer makes installs and finds them again. It is safe for concurrent use, also by
// several processes with the same folder.
type Installer struct {
	options Options
	// time bounds each command of a package manager.
	time time.Duration
}

// New returns what makes installs.
func New(o Options) *Installer { return &Installer{options: o, time: commandTime} }

// Install fetches what was offered, exactly that, and returns where it lies. What was
// installed before is found and checked, and nothing is fetched. With scripts, the install
// scripts of the packages that the offer lists are run too, confined and with the network.
func (i *Installer) Install(ctx context.Context, offer Offer, scripts bool) (Installed, error) {
	if err := offer.check(); err != nil {
		return Installed{}, err
	}
	if err := os.MkdirAll(i.options.Dir, 0o700); err != nil {
		return Installed{}, fmt.Errorf("make the folder of installed servers: %w", err)
	}
	scripts = scripts && len(offer.Scripts) > 0
	name := offer.folderName(scripts)
	// Of two that install the same at once, the second finds what the first has made.
	turn, err := holdFor(ctx, filepath.Join(i.options.Dir, turnPrefix+name))
	if err != nil {
		return Installed{}, fmt.Errorf("wait for another install of %s: %w", offer.Main(), err)
	}
	defer turn.release()
	found, err := i.Open(name)
	if err == nil {
		return found, found.Verify(ctx)
	}
	if !errors.Is(err, os.ErrNotExist) {
		return Installed{}, fmt.Errorf("%w; remove it and install it again", err)
	}
	stage, err := i.newStage()
	if err != nil {
		return Installed{}, err
	}
	defer stage.remove()
	record, err := i.fetchOffer(ctx, stage, offer, scripts)
	if err != nil {
		return Installed{}, err
	}
	return i.complete(stage, name, record)
}

// fetchOffer fetches what was offered into a stage, looks at what came, and returns the record
// of it.
func (i *Installer) fetchOffer(ctx context.Context, stage *stage, offer Offer, scripts bool) (Record, error) {
	if err := stage.write(manifestFile, offer.Manifest); err != nil {
		return Record{}, err
	}
	if err := stage.write(lockFile, offer.Lock); err != nil {
		return Record{}, err
	}
	npm, err := i.findNPM(offer.Registry)
	if err != nil {
		return Record{}, err
	}
	if err := npm.fetchLocked(ctx, stage, offer); err != nil {
		return Record{}, err
	}
	if scripts {
		// Before they run, because what they run comes from there.
		if _, err := hashTree(ctx, stage.folder()); err != nil {
			return Record{}, offer.refuse(err)
		}
		if err := npm.runScripts(ctx, stage, offer); err != nil {
			return Record{}, err
		}
	}
	lock, err := readBounded(filepath.Join(stage.folder(), lockFile), mostLock)
	if err != nil {
		return Record{}, err
	}
	if hashOf(lock) != offer.LockHash() {
		return Record{}, fmt.Errorf("install %s: the lock file is no longer the one that was shown; nothing was installed, ask for the offer again", offer.Main())
	}
	tree, err := hashTree(ctx, stage.folder())
	if err != nil {
		return Record{}, offer.refuse(err)
	}
	return Record{
		Request: offer.Request, Package: offer.Main().Name, Version: offer.Main().Version,
		Integrity: offer.Integrity, Registry: offer.Registry, LockHash: offer.LockHash(), TreeHash: tree.hash,
		Files: tree.files, Bytes: tree.bytes, Scripts: scripts, InstalledAt: time.Now().UTC().Truncate(time.Second),
	}, nil
}

// complete gives a whole install its name.
func (i *Installer) complete(stage *stage, name string, record Record) (Installed, error) {
	// No program may start from what cannot be started.
	installed := Installed{Record: record, Dir: stage.folder(), Name: name}
	if _, err := installed.program(); err != nil {
		return Installed{}, err
	}
	if err := installed.save(); err != nil {
		return Installed{}, err
	}
	installed.Dir = filepath.Join(i.options.Dir, name)
	if err := os.Rename(stage.folder(), installed.Dir); err != nil {
		return Installed{}, fmt.Errorf("give the install of %s its name: %w", record.Package, err)
	}
	// Not before: some systems change what is looked at when a folder moves.
	return installed, installed.noteStates()
}
