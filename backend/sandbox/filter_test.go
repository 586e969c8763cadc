package sandbox

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestSEC02_PathsAreQuoted(t *testing.T) {
	long := strings.Repeat("a", stringLimit)
	for text, want := range map[string]string{
		"":                     `""`,
		"/Users/me":            `"/Users/me"`,
		`/a "b"`:               `"/a \"b\""`,
		`/a\"`:                 `"/a\\\""`,
		"/项目":                  `"/项目"`,
		`/a") (allow default)`: `"/a\") (allow default)"`,
		long:                   `"` + long + `"`,
		long + `"b`:            `(string-append "` + long + `" "\"b")`,
		long[1:] + "项":         `(string-append "` + long[1:] + `" "项")`,
	} {
		if got := quoteText(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// FuzzQuote shows that no path ends its string, and that what is read is the path:
// read as TinyScheme does (scheme.c, readstrexp), whose strings end after 256 bytes.
func FuzzQuote(f *testing.F) {
	for _, text := range []string{"/a", `/a"`, `/\"`, `\`, `\\" "`, strings.Repeat(`"`, 300), strings.Repeat("项", 99), `/x") (allow file-write*) ("`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip("it is refused before")
		}
		if got := evaluate(t, quoteText(text)); got != text {
			t.Errorf("%q is read as %q", text, got)
		}
	})
}

// evaluate reads an expression that is a string, or several to append, and nothing else.
func evaluate(t *testing.T, expression string) string {
	t.Helper()
	rest, appended := strings.CutPrefix(expression, "(string-append ")
	if appended {
		var ok bool
		if rest, ok = strings.CutSuffix(rest, ")"); !ok {
			t.Fatalf("%q has no end", expression)
		}
	}
	var all strings.Builder
	for {
		if !strings.HasPrefix(rest, `"`) {
			t.Fatalf("%q: %q is no string", expression, rest)
		}
		i, size := 1, 0
		for ; i < len(rest) && rest[i] != '"'; i++ {
			if rest[i] == '\\' {
				i++
				if !strings.ContainsRune(`"\`, rune(rest[i])) {
					t.Fatalf("%q escapes %q", expression, rest[i])
				}
			}
			all.WriteByte(rest[i])
			size++
		}
		if i >= len(rest) || size > 255 {
			t.Fatalf("%q: a string of %d bytes does not end where it should", expression, size)
		}
		rest = rest[i+1:]
		if rest == "" {
			return all.String()
		}
		if !appended || !strings.HasPrefix(rest, " ") {
			t.Fatalf("%q: then comes %q", expression, rest)
		}
		rest = rest[1:]
	}
}

func TestSEC02_PathsAreFolded(t *testing.T) {
	for _, test := range []struct {
		path          string
		same, another []string
	}{
		{"/Users/me/p", []string{"/Users/me/p", "/users/ME/P"}, []string{"/Users/me", "/Users/me/p/x", "/Users/mee/p"}},
		{"/a.b/(c)+[d]", []string{"/a.b/(c)+[d]", "/A.B/(C)+[D]"}, []string{"/axb/(c)+[d]", "/a.b/c[d]", "/a.b/cd"}},
		{`/a\b$^|?*{}`, []string{`/a\b$^|?*{}`}, []string{`/ab$^|?*{}`, "/a"}},
		{"/caf\u00e9/x", []string{"/caf\u00e9/x", "/cafe\u0301/X", "/CAF\u00c9/x"}, []string{"/caf\u00e9/y", "/a/b/x"}},
		{"/x/a-b_c 1", []string{"/X/A-B_C 1"}, []string{"/x/a-b_c1"}},
	} {
		expression := regexp.MustCompile("^" + foldedPattern(test.path) + "$")
		if strings.Contains(expression.String(), "(?") {
			t.Errorf("%s: %s is not for Seatbelt", test.path, expression)
		}
		for _, path := range test.same {
			if !expression.MatchString(path) {
				t.Errorf("%s: %q is not the same to %s", test.path, path, expression)
			}
		}
		for _, path := range test.another {
			if expression.MatchString(path) {
				t.Errorf("%s: %q is the same to %s", test.path, path, expression)
			}
		}
	}
}

// FuzzFolded shows that a path that a rule is written for matches itself, in upper case
// too.
func FuzzFolded(f *testing.F) {
	for _, path := range []string{"/Users/me", "/a.b", "/(", "/[x", `/\d`, "/é/项", "/a*"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if checkPath(path) != nil {
			t.Skip("it is refused before")
		}
		expression, err := regexp.Compile("^" + foldedPattern(path) + "$")
		if err != nil {
			t.Fatalf("%q: %v", path, err)
		}
		upper := strings.Map(func(r rune) rune {
			if r < utf8.RuneSelf {
				return unicode.ToUpper(r)
			}
			return r
		}, path)
		for _, same := range []string{path, upper} {
			if !expression.MatchString(same) {
				t.Errorf("%s does not match %q", expression, same)
			}
		}
	})
}

func TestSEC02_PathsThatNoRuleIsFor(t *testing.T) {
	for _, path := range []string{
		"", "/", "a", "./a", "/a/", "/a/../b", "/a//b", "/a/.", "/a\nb", "/a\x00b", "/a\tb", "/a\x7f", "/a\u0085", "/a\xff",
	} {
		if checkPath(path) == nil {
			t.Errorf("%q is allowed", path)
		}
	}
	for _, path := range []string{"/a", "/a b/c", `/a"b\c`, "/项目", "/a\u200db", "/..a"} {
		if err := checkPath(path); err != nil {
			t.Error(err)
		}
	}
}
