package sandbox

import (
	"regexp"
	"strings"
	"sync"
)

// secretForms are the forms that keys and passwords have.
type secretForms struct {
	// token are the forms by which services know their own keys.
	token *regexp.Regexp
	// spoken are words that a key or a password follows.
	spoken *regexp.Regexp
	// login is who is to be at a server, in an address.
	login *regexp.Regexp
	// comments are those of XML, in which examples stand.
	comments *regexp.Regexp
}

var forms = sync.OnceValue(func() secretForms {
	return secretForms{
		token: regexp.MustCompile(`gh[pousr]_[0-9A-Za-z]{16,}|github_pat_\w{16,}|gl[a-z]{2,6}-[\w-]{16,}|xox[a-z]-[\w-]{10,}|` +
			`\bsk-[\w-]{16,}|\bA[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,}|npm_[0-9A-Za-z]{20,}|pypi-[\w-]{20,}|hf_[0-9A-Za-z]{20,}|` +
			`do[opr]_v1_[0-9a-f]{32,}|AT(ATT|BB)[\w=-]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.|-----BEGIN [A-Z ]*PRIVATE KEY`),
		spoken: regexp.MustCompile(`(?i)\b(bearer|basic)\s+[\w+/=.~-]{8,}|(password|passwd|passphrase|secret|token|api[_-]?key|_auth)\s*[=:]\s*\S|` +
			`<(password|passphrase|privateKey)>\s*[^<\s]`),
		login:    regexp.MustCompile(`(?i)([a-z][a-z0-9+.-]*)://([^/\s@"']+)@`),
		comments: regexp.MustCompile(`(?s)<!--.*?-->`),
	}
})

// holdsSecret reports whether a text has a key or a password in a form that is known.
func holdsSecret(text string) bool {
	forms := forms()
	text = forms.comments.ReplaceAllString(text, "")
	if forms.token.MatchString(text) || forms.spoken.MatchString(text) {
		return true
	}
	for _, found := range forms.login.FindAllStringSubmatch(text, -1) {
		scheme, who := strings.ToLower(found[1]), found[2]
		// By SSH a name alone is no secret; elsewhere it is often a token.
		if !strings.HasSuffix(scheme, "ssh") || strings.Contains(who, ":") {
			return true
		}
	}
	return false
}
