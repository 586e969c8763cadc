package workspace

import (
	"path"
	"strings"
)

// secretFolders hold nothing but keys.
var secretFolders = map[string]bool{".ssh": true, ".gnupg": true, ".password-store": true}

// secretNames are files that hold keys or passwords by convention.
var secretNames = map[string]bool{
	".npmrc": true, ".pypirc": true, ".netrc": true, "_netrc": true,
	".git-credentials": true, ".pgpass": true, ".my.cnf": true, ".htpasswd": true, ".vault-token": true,
	"credentials.json": true,
}

// secretInFolder are names that hold keys in one folder: pattern by folder.
var secretInFolder = map[string]string{
	".aws": "credentials*", ".docker": "config.json", ".kube": "config", ".cargo": "credentials*",
}

// secretPatterns are further names of files that hold keys or passwords.
var secretPatterns = []string{
	".env*", "*.env", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk",
	"id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*",
}

// harmless are names that a pattern above would take for secrets.
var harmless = []string{".env*.example", ".env*.sample", ".env*.template", ".env*.dist", "*.pub"}

// copySuffixes are what editors and people add to a file's name for a copy of it.
var copySuffixes = []string{"~", "#", ".bak", ".old", ".orig", ".save", ".swp", ".swo"}

// secret says whether a local path names a file that holds keys or passwords, or
// lies in a folder of them (SPEC SEC-06).
func secret(local string) bool {
	folder := ""
	for part := range strings.SplitSeq(local, "/") {
		name := original(fold(part))
		if secretFolders[name] || secretName(name) || secretIn(folder, name) {
			return true
		}
		folder = name
	}
	return false
}

// secretFolder says whether a folder, by its absolute path with slashes, is one in
// which names do not tell what is secret: the rules for what lies in a workspace
// look at paths below it only.
func secretFolder(absolute string) bool {
	for part := range strings.SplitSeq(absolute, "/") {
		if secretFolders[original(fold(part))] {
			return true
		}
	}
	return secretInFolder[original(fold(path.Base(absolute)))] != ""
}

// original returns the name of the file that one of this name is a copy of; most
// are of none and keep theirs.
func original(name string) string {
	for {
		stem := strings.TrimPrefix(strings.TrimPrefix(name, ".#"), "#")
		for _, suffix := range copySuffixes {
			stem = strings.TrimSuffix(stem, suffix)
		}
		if stem == name || stem == "" {
			return name
		}
		name = stem
	}
}

// secretName compares a name with the lists above, and also without its leading
// dot, which some editors put before the name of a copy.
func secretName(name string) bool {
	return listed(name) || listed(strings.TrimPrefix(name, "."))
}

func secretIn(folder, name string) bool {
	pattern, ok := secretInFolder[folder]
	return ok && (matches(pattern, name) || matches(pattern, strings.TrimPrefix(name, ".")))
}

func listed(name string) bool {
	for _, pattern := range harmless {
		if matches(pattern, name) {
			return false
		}
	}
	if secretNames[name] {
		return true
	}
	for _, pattern := range secretPatterns {
		if matches(pattern, name) {
			return true
		}
	}
	return false
}

func matches(pattern, name string) bool {
	ok, _ := path.Match(pattern, name)
	return ok
}
