package workspace

import (
	"path"
	"slices"
	"strings"
)

// secretFolders hold nothing but keys.
var secretFolders = map[string]bool{".ssh": true, ".gnupg": true, ".password-store": true}

// secretNames are files that hold keys or passwords by convention.
var secretNames = map[string]bool{
	".npmrc": true, ".pypirc": true, ".netrc": true, "_netrc": true, ".git-credentials": true,
	".pgpass": true, ".my.cnf": true, ".mylogin.cnf": true, ".htpasswd": true, ".s3cfg": true, ".boto": true,
	".vault-token": true, ".vault_pass": true, ".vault-pass": true, ".dockercfg": true, ".dev.vars": true,
	".secrets": true, "secrets.yml": true, "secrets.yaml": true, "secrets.json": true, "secrets.toml": true,
	"credentials.json": true, "credentials.tfrc.json": true, "application_default_credentials.json": true,
	"kubeconfig": true,
}

// secretInFolder are names that hold keys in one folder: patterns by folder. Of a
// folder they name everything in it.
var secretInFolder = map[string]secretsOf{
	".aws": parsePatterns("credentials*", "config*", "sso", "cli"), ".docker": parsePatterns("config.json"), ".kube": parsePatterns("config*"),
	".cargo": parsePatterns("credentials*"), ".m2": parsePatterns("settings*.xml"), ".gradle": parsePatterns("gradle.properties"), ".gem": parsePatterns("credentials"),
	".azure":    parsePatterns("accesstokens.json", "msal_token_cache.*", "service_principal_entries.*"),
	".oci":      parsePatterns("config"),
	".fly":      parsePatterns("config.yml"),
	"gh":        parsePatterns("hosts.yml", "hosts.yaml"),
	"gcloud":    parsePatterns("credentials.db", "access_tokens.db", "legacy_credentials"),
	"doctl":     parsePatterns("config.yaml"),
	"rclone":    parsePatterns("rclone.conf"),
	"age":       parsePatterns("keys.txt"),
	"nuget":     parsePatterns("nuget.config"),
	".nuget":    parsePatterns("nuget.config"),
	"glab-cli":  parsePatterns("config.yml"),
	"composer":  parsePatterns("auth.json"),
	".composer": parsePatterns("auth.json"),
}

// secretPatterns are further names of files that hold keys or passwords.
var secretPatterns = parsePatterns(
	".env*", "*.env", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk",
	"id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", ".dev.vars.*",
	"*.tfstate", "*.tfstate.*", "*.tfvars", "*.tfvars.json",
	"service-account*.json", "service_account*.json", "serviceaccount*.json", "client_secret*.json",
	"kubeconfig.*", "kubeconfig-*", "*.kubeconfig",
)

// harmless are names that a pattern above would take for secrets.
var harmless = parsePatterns(
	".env*.example", ".env*.sample", ".env*.template", ".env*.dist", "*.pub",
	".dev.vars.example", ".dev.vars.sample", ".dev.vars.template", ".dev.vars.dist",
)

// copySuffixes are what editors and people add to a file's name for a copy of it.
var copySuffixes = []string{"~", "#", ".bak", ".old", ".orig", ".save", ".swp", ".swo"}

// IsSecret reports whether a local path names a file that holds keys or passwords, or
// lies in a folder of them (SPEC SEC-06).
func IsSecret(local string) bool {
	folder := ""
	for part := range strings.SplitSeq(local, "/") {
		if secretEntry(folder, part) {
			return true
		}
		folder = part
	}
	return false
}

// secretEntry is secret for one entry of a folder that is none itself.
func secretEntry(folder, entry string) bool { return secretsIn(folder).has(entry) }

// secretsOf are the names that are secret in one folder, besides those that are
// everywhere.
type secretsOf []pattern

// secretsIn returns those of a folder, by its name.
func secretsIn(folder string) secretsOf { return secretInFolder[originalName(foldName(folder))] }

// has reports whether an entry of the folder is secret.
func (s secretsOf) has(entry string) bool {
	name := originalName(foldName(entry))
	if secretFolders[name] || secretName(name) {
		return true
	}
	bare := strings.TrimPrefix(name, ".")
	return slices.ContainsFunc(s, func(p pattern) bool { return p.matchesName(name) || p.matchesName(bare) })
}

// secretFolder reports whether a folder, by its absolute path with slashes, is one in
// which names do not tell what is secret: the rules for what lies in a workspace
// look at paths below it only.
func secretFolder(absolute string) bool {
	for part := range strings.SplitSeq(absolute, "/") {
		if secretFolders[originalName(foldName(part))] {
			return true
		}
	}
	name := originalName(foldName(path.Base(absolute)))
	return strings.HasPrefix(name, ".") && secretInFolder[name] != nil
}

// originalName returns the name of the file that one of this name is a copy of; most
// are of none and keep theirs.
func originalName(name string) string {
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
	if isListedSecret(name) {
		return true
	}
	bare, hidden := strings.CutPrefix(name, ".")
	return hidden && isListedSecret(bare)
}

func isListedSecret(name string) bool {
	fits := func(p pattern) bool { return p.matchesName(name) }
	return (secretNames[name] || slices.ContainsFunc(secretPatterns, fits)) && !slices.ContainsFunc(harmless, fits)
}

// pattern is a pattern of names in which * stands for any text: the parts between the
// stars. Every name that a walk comes to is compared with dozens of them, for which
// path.Match takes too long.
type pattern []string

func parsePattern(text string) pattern { return strings.Split(text, "*") }

func parsePatterns(texts ...string) []pattern {
	all := make([]pattern, len(texts))
	for i, text := range texts {
		all[i] = parsePattern(text)
	}
	return all
}

func (p pattern) matchesName(name string) bool {
	first, last := p[0], p[len(p)-1]
	if len(p) == 1 {
		return name == first
	}
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	name = name[len(first) : len(name)-len(last)]
	for _, part := range p[1 : len(p)-1] {
		at := strings.Index(name, part)
		if at < 0 {
			return false
		}
		name = name[at+len(part):]
	}
	return true
}
