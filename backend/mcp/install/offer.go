package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Offer is what a request means today: a program of an exact version with all that it
// needs, as it is shown to the user and then installed.
type Offer struct {
	// Request is what was asked for.
	Request Request
	// Packages are those of the request, each with the exact version that it gets.
	Packages []Package
	// Integrity is the hash of the program's package, such as sha512-… in base64.
	Integrity string
	// Registry is where it was looked up, an address without credentials.
	Registry string
	// OtherHosts are further hosts that packages come from, sorted: a name that both a company
	// and the public registry have can come from the wrong one.
	OtherHosts []string
	// Count is how many packages there are in all, with those that other systems need alone.
	Count int
	// Scripts are the packages that have install scripts, as NAME@VERSION, sorted, without those that only
	// other systems need.
	Scripts []string
	// Bytes is the size of the program's own package when unpacked, without what it needs; 0
	// where the registry does not say it.
	Bytes int64
	// Manifest and Lock are the files by which it is installed: the exact bytes.
	Manifest, Lock []byte
}

// Main is the package of the program, with its exact version.
func (o Offer) Main() Package { return o.Packages[0] }

// LockHash is the SHA-256 of the lock file in hexadecimal digits: what a yes is bound to.
func (o Offer) LockHash() string { return hashOf(o.Lock) }

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// check reports what an offer lacks that did not come from Resolve, or was altered since: what
// is shown of it has to be what is installed.
func (o Offer) check() error {
	if len(o.Packages) == 0 {
		return errors.New("the offer names no package: resolve the request first")
	}
	again := Offer{Request: o.Request, Registry: o.Registry, Bytes: o.Bytes, Manifest: o.Manifest, Lock: o.Lock}
	if err := again.readLock(); err != nil {
		return err
	}
	same := again.Integrity == o.Integrity && again.Count == o.Count && fmt.Sprint(again.Packages, again.Scripts, again.OtherHosts) == fmt.Sprint(o.Packages, o.Scripts, o.OtherHosts)
	if !same {
		return fmt.Errorf("the offer of %s shows something else than its lock file has: resolve the request again", o.Main())
	}
	var manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(o.Manifest, &manifest); err != nil || len(manifest.Dependencies) != len(o.Packages) {
		return fmt.Errorf("the manifest of %s is not that of the offer: resolve the request again", o.Main())
	}
	for _, p := range o.Packages {
		if manifest.Dependencies[p.Name] != p.Version {
			return fmt.Errorf("the manifest asks for another version of %s than the offer: resolve the request again", p)
		}
	}
	return nil
}

// refuse is the error of a package that is not taken.
func (o Offer) refuse(err error) error {
	return fmt.Errorf("install %s: %w; nothing was installed", o.Main(), err)
}

// folderName is the name of the folder it is installed in: NAME-VERSION-HASH, of the lock
// file and all else that makes an install another one.
func (o Offer) folderName(scripts bool) string {
	mark := fmt.Sprintf("%s\n%s\n%t\n%q", o.Registry, o.LockHash(), scripts, o.Request.Program)
	const most, digits = 60, 12
	name := strings.Map(func(r rune) rune {
		switch {
		case r == '@':
			return -1
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '-'
	}, strings.ToLower(o.Main().Name+"-"+o.Main().Version))
	name = strings.TrimLeft(name[:min(len(name), most)], ".") // a dot in front is for what is not whole
	return name + "-" + hashOf([]byte(mark))[:digits]
}
