package workspace_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fairlead/backend/workspace"
)

// letters returns so many characters that look drawn by lot.
func letters(count int) string {
	const some = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC"
	return strings.Repeat(some, count/len(some)+1)[:count]
}

// digits returns so many hexadecimal digits.
func digits(count int) string {
	return strings.Repeat("0a1b2c3d4e5f6789", count/16+1)[:count]
}

func TestSEC10_ValuesOfKnownFormsAreHidden(t *testing.T) {
	upper := strings.ToUpper(letters(200))
	for name, test := range map[string]struct{ before, value, after string }{
		"OpenAI":            {"key: ", "sk-proj-" + letters(60), ""},
		"Anthropic":         {"ANTHROPIC_API_KEY=", "sk-ant-api03-" + letters(40) + "-_" + letters(50), "\r"},
		"DeepSeek":          {`"`, "sk-" + digits(32), `",`},
		"in an escape":      {`{"text":"first\n`, "sk-" + letters(48), `\nlast"}`},
		"AWS":               {"id = ", "AKIA" + upper[:16], " # comment"},
		"AWS secret":        {"aws_secret_access_key = ", letters(40), ""},
		"AWS secret, JSON":  {`"SecretAccessKey": "`, letters(38) + "/+", `"`},
		"GitHub":            {"token ", "ghp_" + letters(36), ")"},
		"GitHub OAuth":      {"oauth_token: ", "gho_" + letters(36), ""},
		"GitHub, fine":      {"", "github_pat_" + letters(22) + "_" + letters(59), ""},
		"GitLab":            {"", "glpat-" + letters(20), ""},
		"Slack":             {"", "xoxb-1234567890-1234567890-" + letters(24), ""},
		"Slack hook":        {"https://hooks.slack.com/services/", "T0000000A/B0000000C/" + letters(24), ""},
		"Google":            {"?key=", "AIza" + letters(35), "&x"},
		"Google OAuth":      {"", "ya29." + letters(80), ""},
		"npm":               {"", "npm_" + letters(36), ""},
		"npm, by its name":  {"//registry.npmjs.org/:_authToken=", "0e1d2c3b-1234-4321-abcd-0123456789ab", ""},
		"yarn":              {`npmAuthToken: "`, "0e1d2c3b-1234-4321-abcd-0123456789ab", `"`},
		"PyPI":              {"password = ", "pypi-AgEIcHlwaS5vcmc" + letters(60), ""},
		"Stripe":            {"", "sk_live_" + letters(24), ""},
		"Hugging Face":      {"", "hf_" + letters(34), ""},
		"JWT":               {"", "eyJ" + letters(30) + ".eyJ" + letters(40) + "." + letters(43), ""},
		"header":            {"  extraheader = AUTHORIZATION: basic ", letters(40) + "==", ""},
		"bearer":            {`curl -H "Authorization: Bearer `, digits(40), `" https://example.com`},
		"address":           {"url = https://me:", "s3cr3t-pass", "@example.com/repo.git"},
		"address, user":     {"url = https://", letters(40), "@example.com/repo.git"},
		"address, database": {"DATABASE_URL=postgres://app:", "Tr0ub4dor", "@db:5432/app"},
		"private key, JSON": {`"private_key": "-----BEGIN PRIVATE KEY-----`, `\n` + letters(64) + `\n` + letters(30) + `==\n`, `-----END PRIVATE KEY-----\n",`},
	} {
		t.Run(name, func(t *testing.T) {
			shown, hidden := workspace.HideSecrets("line\n" + test.before + test.value + test.after + "\nline\n")
			mark := fmt.Sprintf("[secret hidden: %d characters]", len(test.value))
			if want := "line\n" + test.before + mark + test.after + "\nline\n"; shown != want || hidden != 1 {
				t.Errorf("shown %q with %d hidden, want %q", shown, hidden, want)
			}
			if workspace.Marks(shown) != 1 {
				t.Errorf("%d marks in %q", workspace.Marks(shown), shown)
			}
		})
	}
}

func TestSEC10_PrivateKeysOfSeveralLinesAreHidden(t *testing.T) {
	for name, around := range map[string][2]string{"plain": {"", ""}, "YAML": {"    ", ""}, "Go": {`	"`, `\n" +`}} {
		body := []string{
			"-----BEGIN RSA PRIVATE KEY-----", "Proc-Type: 4,ENCRYPTED", "", letters(64), letters(64), "aB3=", "-----END RSA PRIVATE KEY-----",
		}
		var text strings.Builder
		for _, line := range append(body, "after", letters(64)) {
			text.WriteString(around[0] + line + around[1] + "\n")
		}
		shown, hidden := workspace.HideSecrets(text.String())
		lines := strings.Split(shown, "\n")
		if hidden != 1 || workspace.Marks(shown) != 3 || strings.Count(shown, letters(64)) != 1 || len(lines) != 10 {
			t.Errorf("%s: %d hidden in\n%s", name, hidden, shown)
		}
	}
	for _, text := range []string{
		"if strings.HasPrefix(x, \"-----BEGIN PRIVATE KEY-----\") {\n\treturn\n}\n" + letters(64),
		"-----BEGIN CERTIFICATE-----\n" + letters(64) + "\n-----END CERTIFICATE-----\n",
		"-----BEGIN PUBLIC KEY-----\n" + letters(64) + "\n-----END PUBLIC KEY-----\n",
	} {
		if shown, hidden := workspace.HideSecrets(text); shown != text || hidden != 0 {
			t.Errorf("%d hidden in %q", hidden, shown)
		}
	}
}

func TestSEC10_WhatOnlyLooksLikeASecretIsShown(t *testing.T) {
	for _, line := range []string{
		"commit " + digits(40), "sha256:" + digits(64), "550e8400-e29b-41d4-a716-446655440000",
		"github.com/x/y v1.2.3 h1:" + letters(43) + "=",
		`"integrity": "sha512-` + letters(86) + `==",`,
		`"resolved": "https://registry.npmjs.org/@babel/core/-/core-7.0.0.tgz#` + digits(40) + `",`,
		"data:image/png;base64," + letters(400),
		`<div class="sk-folding-cube sk-loading-spinner-animation-2">`,
		"risk-assessment-of-everything-in-2024", "the task-1234567890-abcdefghij-1234567890",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + letters(43) + " me@example.com",
		"https://user:password@example.com", "postgres://postgres:postgres@localhost/db", "redis://:${REDIS_PASSWORD}@redis:6379",
		"https://example.com/a:b@c", "git@github.com:owner/name.git", "https://github.com/owner/name.git",
		"//registry.npmjs.org/:_authToken=${NPM_TOKEN}", "npmAuthToken: process.env.TOKEN",
		"Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE", "Authorization: Bearer $TOKEN", "Authorization: token <your token>",
		"aws_secret_access_key = ${AWS_SECRET}", "OPENAI_API_KEY=sk-...", "key := \"sk-your-key-goes-in-here\"",
		"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "npm_config_registry_and_other_names_that_are_long",
		"func TestX_test_something_long_enough_for_it()", "xoxo-xoxo-xoxo", "gl.bindTexture(gl.TEXTURE_2D)", "eyJhbGciOiJIUzI1NiJ9",
	} {
		if shown, hidden := workspace.HideSecrets(line); shown != line || hidden != 0 {
			t.Errorf("%q is shown as %q", line, shown)
		}
	}
}

func TestSEC10_APartOfALineHidesWhatGoesOn(t *testing.T) {
	value := "ghp_" + letters(36)
	line := "token: " + value + " end"
	for length, want := range map[int]string{
		3: "tok", 7: "token: ", 8: "token: [secret hidden: 40 characters]", 47: "token: [secret hidden: 40 characters]",
		49: "token: [secret hidden: 40 characters] e",
	} {
		var h workspace.Hider
		if got := h.Part(line, length); got != want {
			t.Errorf("the first %d bytes are %q, want %q", length, got, want)
		}
	}
}

func TestSEC10_InstructionsHideValues(t *testing.T) {
	folder, dir, _ := open(t)
	write(t, filepath.Join(dir, "AGENTS.md"), "Use the key sk-"+letters(48)+" for tests.\n")
	got, err := folder.Instructions(".")
	if want := "Use the key [secret hidden: 51 characters] for tests.\n"; err != nil || got.Text != want || got.Cut {
		t.Errorf("Instructions = %+v, %v; want %q", got, err, want)
	}
}

func TestSEC10_LookingForSecretsTakesLinearTime(t *testing.T) {
	for _, unit := range []string{"sk-", "://a:b", "://a:bcd@e ", "eyJaaaaaaaaaaa.", "ghp_" + letters(36) + " ", "bearer ", "-----BEGIN PRIVATE KEY-----", "_live__test_"} {
		start := time.Now()
		workspace.HideSecrets(strings.Repeat(unit, 128<<10/len(unit)))
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("128 KiB of %q took %v", unit, took)
		}
	}
}

func FuzzHideSecrets(f *testing.F) {
	for _, text := range []string{
		"", "sk-" + letters(40), "https://me:s3cr3t@example.com", "-----BEGIN PRIVATE KEY-----\n" + letters(64) + "\n-----END PRIVATE KEY-----\n",
		"[secret hidden: 12 characters]", "a\r\nb\x00\xff\n", "-----BEGIN PRIVATE KEY-----\n\"" + letters(64) + "\\n\"",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown, hidden := workspace.HideSecrets(text)
		switch {
		case hidden == 0 && shown != text:
			t.Errorf("%q is shown as %q, and nothing is hidden", text, shown)
		case strings.Count(shown, "\n") != strings.Count(text, "\n"):
			t.Errorf("%q has other lines than %q", shown, text)
		case utf8.ValidString(text) && !utf8.ValidString(shown):
			t.Errorf("%q is no UTF-8", shown)
		case workspace.Marks(shown) < hidden:
			t.Errorf("%d values are hidden in %q", hidden, shown)
		}
		value := "ghp_" + letters(36)
		if shown, _ := workspace.HideSecrets(text + "\n " + value + " \n"); strings.Contains(shown, value) {
			t.Errorf("after %q a key is shown", text)
		}
	})
}
