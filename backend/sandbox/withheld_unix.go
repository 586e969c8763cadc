//go:build unix

package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// keyFiles are files and folders of a home that hold keys and passwords. Commands do not
// see them in a folder around them that they may read.
var keyFiles = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker/config.json", ".netrc", ".git-credentials", ".npmrc", ".yarnrc", ".yarnrc.yml",
	".pypirc", ".gem/credentials", ".cargo/credentials", ".cargo/credentials.toml", ".m2/settings.xml", ".m2/settings-security.xml",
	".gradle/gradle.properties", ".nuget/NuGet/NuGet.Config", ".composer/auth.json", ".dotnet/corefx", ".terraform.d/credentials.tfrc.json",
	".vault-token", ".pgpass", ".my.cnf", ".s3cfg", ".boto", ".password-store", ".mozilla",
	".config/git/config", ".config/git/credentials", ".config/gh", ".config/glab-cli", ".config/hub", ".config/gcloud", ".config/op",
	".config/pip", ".config/rclone", ".config/containers/auth.json", ".config/composer/auth.json", ".config/NuGet/NuGet.Config",
	".config/sops", ".config/age", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware",
	".local/share/keyrings", ".local/share/kwalletd", ".local/share/uv/credentials",
}

// toolSettings are settings in tool chains, which can hold keys: they are kept from
// commands where they do. Some tools do not run without theirs.
var toolSettings = []string{
	".nvm/versions/node/*/etc/npmrc", ".volta/tools/image/node/*/etc/npmrc", ".fnm/node-versions/*/installation/etc/npmrc",
	".local/share/fnm/node-versions/*/installation/etc/npmrc", ".local/share/mise/installs/node/*/etc/npmrc",
	".asdf/installs/nodejs/*/etc/npmrc", ".pyenv/versions/*/pip.conf", ".asdf/installs/python/*/pip.conf",
	".local/share/mise/installs/python/*/pip.conf", ".local/share/uv/tools/*/pip.conf", ".local/share/uv/tools/*/uv-receipt.toml",
	".sdkman/candidates/maven/*/conf/settings.xml", ".sdkman/candidates/gradle/*/gradle.properties",
}

// maxWithheld is how many files of a folder of programs are hidden one by one. Where more
// of them are none, the whole folder is.
const maxWithheld = 64

// withheldFiles are the files in what commands may read that they are not to see.
func (p Place) withheldFiles() []string {
	if p.Home == "" {
		return nil
	}
	var all []string
	for _, name := range keyFiles {
		path := filepath.Join(p.Home, filepath.FromSlash(name))
		if p.canRead(path) && pathExists(path) {
			all = append(all, path)
		}
	}
	for _, pattern := range toolSettings {
		found, _ := filepath.Glob(filepath.Join(escapeGlob(p.Home), filepath.FromSlash(pattern))) // the patterns are well formed
		for _, path := range found {
			if p.canRead(path) && fileHoldsSecret(path) {
				all = append(all, path)
			}
		}
	}
	for _, folder := range p.Read {
		if strings.HasPrefix(folder, p.Home+string(filepath.Separator)) && filepath.Base(folder) == "bin" {
			all = append(all, noPrograms(folder)...)
		}
	}
	return all
}

// canRead reports whether a path lies in a folder that commands may read. A folder that is
// named itself is meant to be read.
func (p Place) canRead(path string) bool {
	for _, folder := range p.Read {
		if strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

func pathExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// escapeGlob writes a path so that a pattern takes it as it is.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// fileHoldsSecret reports whether a file has a secret in it, or cannot be looked at.
func fileHoldsSecret(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxGitFile {
		return true
	}
	text, err := os.ReadFile(path)
	return err != nil || holdsSecret(string(text))
}

// noPrograms are the files in a folder of programs that are none.
func noPrograms(folder string) []string {
	var all []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o111 != 0 {
			return nil
		}
		if all = append(all, path); len(all) > maxWithheld {
			return fs.SkipAll
		}
		return nil
	})
	if err != nil || len(all) > maxWithheld {
		return []string{folder}
	}
	return all
}
