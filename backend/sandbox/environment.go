package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// Environment adds to a command's variables where its private folders are: home,
// temporary files, and the caches of the usual tools, which would else be looked for
// in places that it cannot write to.
func (s *Space) Environment(variables []string) []string {
	home, temporary := s.homeFolders()
	cache := s.place.cacheFolder()
	own := []string{
		"HOME=" + home, "TMPDIR=" + temporary, "XDG_CACHE_HOME=" + cache,
		"GOCACHE=" + filepath.Join(cache, "go-build"),
		"npm_config_cache=" + filepath.Join(cache, "npm"),
		"PIP_CACHE_DIR=" + filepath.Join(cache, "pip"),
	}
	own = append(own, moduleVariables(s.place.Home, cache)...)
	own = append(own, s.gitSettings()...)
	set := map[string]bool{}
	for _, variable := range own {
		name, _, _ := strings.Cut(variable, "=")
		set[name] = true
	}
	for _, variable := range variables {
		if name, _, _ := strings.Cut(variable, "="); !set[name] {
			own = append(own, variable)
		}
	}
	return own
}

// moduleVariables has Go keep its modules in the cache, where it can add to them, and take
// those that the user has from where they are.
func moduleVariables(home, cache string) []string {
	downloads := filepath.Join(home, "go", "pkg", "mod", "cache", "download")
	if _, err := os.Stat(downloads); err != nil {
		return nil
	}
	return []string{
		"GOMODCACHE=" + filepath.Join(cache, "go-mod"),
		"GOPROXY=file://" + filepath.ToSlash(downloads) + ",https://proxy.golang.org,direct",
	}
}
