package sandbox

import (
	"os"
	"path/filepath"
)

// toolChains are what compilers and package managers keep in a home folder, relative
// to it: programs and their libraries. The folders that these lie in are not among
// them, because those hold keys and passwords, too. What such a folder itself has of
// them is taken out (Place.withheld); of git's settings there is a copy (gitCopy).
var toolChains = []string{
	"go/pkg/mod", "go/bin", "sdk", ".cargo/bin", ".cargo/registry", ".cargo/git", ".rustup", ".nvm/versions",
	".volta/bin", ".volta/tools", ".fnm", ".local/share/fnm", ".pyenv/versions", ".pyenv/shims", ".rbenv/versions",
	".local/bin", ".local/lib", ".local/share/uv/python", ".local/share/uv/tools", ".local/share/mise/installs", ".asdf/installs",
	".asdf/shims", ".sdkman/candidates", ".deno/bin", ".bun/bin", ".dotnet/dotnet", ".dotnet/host", ".dotnet/packs", ".dotnet/sdk",
	".dotnet/sdk-manifests", ".dotnet/shared", ".dotnet/templates", ".dotnet/tools", ".config/git/ignore", ".config/git/attributes",
}

// ToolChains are those that there are in a home folder.
func ToolChains(home string) []string {
	var found []string
	for _, name := range toolChains {
		path := filepath.Join(home, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil && filepath.IsAbs(path) {
			found = append(found, path)
		}
	}
	return found
}
