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
var secretInFolder = map[string][]string{
	".aws": {"credentials*", "config*", "sso", "cli"}, ".docker": {"config.json"}, ".kube": {"config*"},
	".cargo": {"credentials*"}, ".m2": {"settings*.xml"}, ".gradle": {"gradle.properties"}, ".gem": {"credentials"},
	".azure":    {"accesstokens.json", "msal_token_cache.*", "service_principal_entries.*"},
	".oci":      {"config"},
	".fly":      {"config.yml"},
	"gh":        {"hosts.yml", "hosts.yaml"},
	"gcloud":    {"credentials.db", "access_tokens.db", "legacy_credentials"},
	"doctl":     {"config.yaml"},
	"rclone":    {"rclone.conf"},
	"age":       {"keys.txt"},
	"nuget":     {"nuget.config"},
	".nuget":    {"nuget.config"},
	"glab-cli":  {"config.yml"},
	"composer":  {"auth.json"},
	".composer": {"auth.json"},
}

// secretPatterns are further names of files that hold keys or passwords.
var secretPatterns = []string{
	".env*", "*.env", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk",
	"id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", ".dev.vars.*",
	"*.tfstate", "*.tfstate.*", "*.tfvars", "*.tfvars.json",
	"service-account*.json", "service_account*.json", "serviceaccount*.json", "client_secret*.json",
	"kubeconfig.*", "kubeconfig-*", "*.kubeconfig",
}

// harmless are names that a pattern above would take for secrets.
var harmless = []string{
	".env*.example", ".env*.sample", ".env*.template", ".env*.dist", "*.pub",
	".dev.vars.example", ".dev.vars.sample", ".dev.vars.template", ".dev.vars.dist",
}

// copySuffixes are what editors and people add to a file's name for a copy of it.
var copySuffixes = []string{"~", "#", ".bak", ".old", ".orig", ".save", ".swp", ".swo"}

// secret says whether a local path names a file that holds keys or passwords, or
// lies in a folder of them (SPEC SEC-06).
func secret(local string) bool {
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
func secretEntry(folder, entry string) bool {
	name := original(fold(entry))
	return secretFolders[name] || secretName(name) || secretIn(original(fold(folder)), name)
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
	name := original(fold(path.Base(absolute)))
	return strings.HasPrefix(name, ".") && secretInFolder[name] != nil
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
	return slices.ContainsFunc(secretInFolder[folder], func(pattern string) bool {
		return matches(pattern, name) || matches(pattern, strings.TrimPrefix(name, "."))
	})
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
