package workspace

import (
	"regexp"
	"strings"
	"sync"
)

// form is how the secret values of one kind look.
type form struct {
	// anchors are texts of which each value has one, in it or before it. They are
	// looked for first, because that costs little.
	anchors []string
	// pattern has the value as its group.
	pattern *regexp.Regexp
	// real reports whether what matches is a value and no example; nil if all are.
	real func(value string) bool
}

func (f form) isPresent(line string) bool {
	for _, anchor := range f.anchors {
		if strings.Contains(line, anchor) {
			return true
		}
	}
	return false
}

// find adds where a line holds such values.
func (f form) find(line string, found []span) []span {
	for _, at := range f.pattern.FindAllStringSubmatchIndex(line, -1) {
		if start, end := at[2], at[3]; f.real == nil || f.real(line[start:end]) {
			found = append(found, span{start, end})
		}
	}
	return found
}

// edge is what stands before a value: no letter and no digit, but for the end of an
// escape such as \n.
const edge = `(?:^|[^A-Za-z0-9]|\\[nrt])`

// key is the form of a provider's keys: the values begin with an anchor.
func key(pattern string, anchors ...string) form {
	return form{anchors, regexp.MustCompile(edge + `(` + pattern + `)`), looksRandom}
}

// forms are those that are known. Providers publish them so that keys are found
// where they should not be. They are compiled when the first text is shown, because
// every start of the program would wait for them.
var forms = sync.OnceValue(func() []form {
	return []form{
		key(`sk-[A-Za-z0-9_-]{20,}`, "sk-"),
		key(`(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}`, "AKIA", "ASIA", "ABIA", "ACCA"),
		key(`gh[opsur]_[A-Za-z0-9]{30,}`, "gho_", "ghp_", "ghs_", "ghu_", "ghr_"),
		key(`github_pat_[A-Za-z0-9_]{22,}`, "github_pat_"),
		key(`gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.-]{20,}`,
			"glpat-", "gloas-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "glsoat-", "glffct-"),
		key(`xox[a-z]-[A-Za-z0-9-]{10,}`, "xox"),
		key(`xapp-[A-Za-z0-9-]{20,}`, "xapp-"),
		key(`AIza[A-Za-z0-9_-]{35}`, "AIza"),
		key(`ya29\.[A-Za-z0-9_-]{20,}`, "ya29."),
		key(`GOCSPX-[A-Za-z0-9_-]{20,}`, "GOCSPX-"),
		key(`1//0[A-Za-z0-9_-]{30,}`, "1//0"),
		key(`npm_[A-Za-z0-9]{30,}`, "npm_"),
		key(`pypi-[A-Za-z0-9_-]{50,}`, "pypi-"),
		key(`rubygems_[a-f0-9]{40,}`, "rubygems_"),
		key(`(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}`, "_live_", "_test_"),
		key(`whsec_[A-Za-z0-9+/=]{24,}`, "whsec_"),
		key(`hf_[A-Za-z0-9]{30,}`, "hf_"),
		key(`gsk_[A-Za-z0-9]{40,}`, "gsk_"),
		key(`(?:xai|pplx|nvapi|fw|tvly)-[A-Za-z0-9_-]{30,}`, "xai-", "pplx-", "nvapi-", "fw-", "tvly-"),
		key(`r8_[A-Za-z0-9]{30,}`, "r8_"),
		key(`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`, "SG."),
		key(`do[opr]_v1_[a-f0-9]{64}`, "_v1_"),
		key(`shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}`, "shp"),
		key(`dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}`, "dckr_"),
		key(`dapi[a-f0-9]{32}`, "dapi"),
		key(`(?:lin_api|ntn|secret|figd|sbp|glsa|phc|phx)_[A-Za-z0-9_-]{36,}`,
			"lin_api_", "ntn_", "secret_", "figd_", "sbp_", "glsa_", "phc_", "phx_"),
		key(`sntry[su]_[A-Za-z0-9_=+/-]{40,}`, "sntry"),
		key(`hv[sb]\.[A-Za-z0-9_-]{20,}`, "hvs.", "hvb."),
		key(`[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,}`, ".atlasv1."),
		key(`ATATT3[A-Za-z0-9_=-]{50,}`, "ATATT3"),
		key(`PMAK-[a-f0-9]{24}-[a-f0-9]{34}`, "PMAK-"),
		key(`tskey-[a-z]+-[A-Za-z0-9-]{16,}`, "tskey-"),
		key(`AGE-SECRET-KEY-1[A-Z0-9]{50,}`, "AGE-SECRET-KEY-1"),
		key(`[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`, ":AA"),
		key(`eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`, "eyJ"),

		// A private key in one line, as in JSON.
		{[]string{"PRIVATE KEY"}, regexp.MustCompile(
			`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----((?:\\+[nr]|[A-Za-z0-9+/=\s]){40,})`), nil},
		{[]string{"hooks.slack.com/"}, regexp.MustCompile(`hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{20,})`), looksRandom},
		{[]string{"/api/webhooks/"}, regexp.MustCompile(`discord(?:app)?\.com/api/webhooks/([0-9]{10,}/[A-Za-z0-9_-]{30,})`), looksRandom},
		{[]string{"AccountKey=", "AccessKey="}, regexp.MustCompile(`(?:Account|Access)Key=([A-Za-z0-9+/]{40,}={0,2})`), looksRandom},
		{[]string{"ecret_access_key", "ECRET_ACCESS_KEY", "ecretAccessKey", "ecretaccesskey"}, regexp.MustCompile(
			`(?i)secret_?access_?key["']?\s*[:=]\s*["']?([A-Za-z0-9+/]{40})`), looksRandom},
		{[]string{"uthToken", "uthIdent", "uthtoken"}, regexp.MustCompile(
			`(?i)(?:_|npm)auth(?:token|ident)["']?\s*[:=]\s*["']?([A-Za-z0-9_.:+/=-]{8,})`), looksRandom},
		{[]string{"uthorization", "UTHORIZATION"}, regexp.MustCompile(
			`(?i)authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+([A-Za-z0-9_.~+/=:-]{16,})`), looksRandom},
		{[]string{"earer "}, regexp.MustCompile(`(?i)bearer ([A-Za-z0-9_.~+/=-]{20,})`), looksRandom},

		// Addresses: a password, and a token in its place or as the user.
		{[]string{"://"}, regexp.MustCompile(`://[^\s/?#"'<>@:]*:([^\s/?#"'<>@]{3,})@[A-Za-z0-9\[]`), noExample},
		{[]string{"://"}, regexp.MustCompile(`://([^\s/?#"'<>@:]{20,})(?::|:x-oauth-basic)?@[A-Za-z0-9\[]`), looksRandom},
	}
})

// looksRandom reports whether a value looks drawn by lot, with digits and letters, as no
// word, name or example does.
func looksRandom(value string) bool {
	digits, upper, lower, longest, run := 0, 0, 0, 0, 0
	for i := range len(value) {
		switch c := value[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		}
		if run++; !isAlphanumeric(value[i]) {
			run = 0
		}
		longest = max(longest, run)
	}
	return digits > 0 && upper+lower > 0 && (upper > 0 && lower > 0 || longest >= 12) && !strings.Contains(value, "xxxx")
}

// examples are passwords that stand for others, or guard nothing.
var examples = map[string]bool{
	"password": true, "passwd": true, "pass": true, "pwd": true, "secret": true, "token": true, "changeme": true,
	"example": true, "test": true, "guest": true, "root": true, "admin": true, "user": true, "postgres": true,
	"mysql": true, "redis": true, "mypassword": true, "yourpassword": true, "your_password": true,
	"your-password": true, "%s": true, "%v": true, "...": true, "pw": true,
}

// noExample reports whether a password in an address is one.
func noExample(value string) bool {
	return !examples[strings.ToLower(value)] && !strings.ContainsAny(value, "${}*[]()\\`") &&
		strings.Trim(value, value[:1]) != "" && !strings.HasPrefix(value, "%(")
}
