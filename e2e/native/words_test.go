//go:build e2e && linux

package native

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// words are the page's words, by their dotted paths: section.key.key.
type words map[string]string

// token is a part of a dictionary's source that matters: a comment, a string, a
// name before a colon, or a brace.
var token = regexp.MustCompile(`(?s)/\*.*?\*/|'((?:[^'\\]|\\.)*)'|(\w+):|[{}]`)

// readWords reads the dictionary of a language, en or zh-CN. Its files are lists
// of texts in objects, and nothing else.
func readWords(language string) (words, error) {
	files, err := filepath.Glob(filepath.Join("..", "..", "frontend", "src", "i18n", language, "*.ts"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("find the words of %s: %w", language, err)
	}
	all := words{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read words: %w", err)
		}
		_, body, _ := strings.Cut(string(source), "=")
		all.take(strings.TrimSuffix(filepath.Base(file), ".ts"), body)
	}
	return all, nil
}

func (w words) take(section, source string) {
	var path []string
	name := section
	for _, match := range token.FindAllStringSubmatch(source, -1) {
		switch {
		case strings.HasPrefix(match[0], "/*"):
		case match[0] == "{":
			path = append(path, name)
		case match[0] == "}":
			path = path[:len(path)-1]
		case match[2] != "":
			name = match[2]
		default:
			w[strings.Join(append(path, name), ".")] = strings.NewReplacer(`\'`, `'`, `\n`, "\n", `\\`, `\`).Replace(match[1])
		}
	}
}

// word returns a text of the page with its parameters, NAME, VALUE, filled in.
func (w words) word(path string, parameters ...string) string {
	text, ok := w[path]
	if !ok {
		panic("the page has no word " + path)
	}
	for i := 0; i+1 < len(parameters); i += 2 {
		text = strings.ReplaceAll(text, "{"+parameters[i]+"}", parameters[i+1])
	}
	return text
}
