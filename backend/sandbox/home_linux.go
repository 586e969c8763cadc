package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
)

// homeCaches are the folders of a home in which tools keep what they have downloaded, and
// which no variable moves elsewhere (Space.Environment).
var homeCaches = []string{
	".cargo/registry", ".cargo/git", ".m2/repository", ".gradle/caches", ".gradle/wrapper", ".ivy2/cache", ".nuget/packages",
	".bun/install/cache", ".local/share/pnpm/store", ".npm/_cacache", ".pub-cache", "go/pkg/mod",
}

// freshHome makes a home for one command, which has nothing in it but the caches.
func (p Place) freshHome() (string, error) {
	home, err := os.MkdirTemp(p.Private, "home-")
	if err != nil {
		return "", fmt.Errorf("make a home for a command with the network: %w", err)
	}
	p.linkCaches(home)
	return home, nil
}

// linkCaches puts links to the caches into a private home, so that what a command
// downloads is there for the next, whichever home that has. What cannot be linked is not:
// a command may have put something else there. Nothing outside the folders is reached,
// whatever links a command has left in them.
func (p Place) linkCaches(home string) {
	caches, err := os.OpenRoot(p.cacheFolder())
	if err != nil {
		return
	}
	defer caches.Close()
	inside, err := os.OpenRoot(home)
	if err != nil {
		return
	}
	defer inside.Close()
	_ = inside.Symlink(p.cacheFolder(), ".cache")
	for _, name := range homeCaches {
		name = filepath.FromSlash(name)
		kept := filepath.Join("home", name)
		if caches.MkdirAll(kept, 0o700) != nil || inside.MkdirAll(filepath.Dir(name), 0o700) != nil {
			continue
		}
		_ = inside.Symlink(filepath.Join(p.cacheFolder(), kept), name)
	}
}
