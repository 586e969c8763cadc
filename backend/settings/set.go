package settings

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// ValueError is why a setting cannot have a value in the file.
type ValueError struct{ reason string }

func (e *ValueError) Error() string { return e.reason }

// Set writes the value of the option with that key into the settings file in the config
// folder; an empty value takes it out, so that the default holds again. Nothing else in the
// file changes: comments, order and line ends stay, also a comment beside the value. A key that
// is none, and a value that the file cannot have, give a *ValueError, a file with a fault its
// *FileError, and one that cannot be changed safely an *EditError; then it is left as it is.
func Set(folder, key, value string) error {
	i := slices.IndexFunc(options, func(o Option) bool { return o.Key == key })
	if i < 0 {
		return &ValueError{fmt.Sprintf("there is no setting %s", key)}
	}
	read, written, err := options[i].write(value)
	if err != nil {
		return &ValueError{err.Error()}
	}
	return rewriteFile(folder, func(_ string, content []byte, before File) ([]byte, File, error) {
		after := File{values: maps.Clone(before.values), tools: before.tools, own: before.own}
		if read == "" {
			delete(after.values, key)
			return removeKey(content, key), after, nil
		}
		if after.values == nil {
			after.values = map[string]string{}
		}
		after.values[key] = read
		if strings.Contains(written, "\n") && lineEnd(content) != "\n" {
			written = quoteLine(read) // the ends of its lines are part of a text
		}
		return putKey(content, key, written), after, nil
	})
}

// write returns a value as it is read from the file, and as it stands there; both are empty
// for no value.
func (o Option) write(value string) (read, written string, err error) {
	value = strings.TrimSpace(value)
	if value == "" {
		return "", "", nil
	}
	var parsed any = value
	written = quoteText(value)
	switch o.kind {
	case whole, number:
		parsed, written = parseNumber(value, o.kind), value
	case boolean:
		if parsed, err = strconv.ParseBool(value); err != nil {
			return "", "", fmt.Errorf("%s must be %s", o.Key, o.kind)
		}
	case text, duration:
		if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
			return "", "", fmt.Errorf("%s has characters that are no text", o.Key)
		}
	}
	if read, err = o.parse(parsed); err != nil {
		return "", "", err
	}
	if o.kind != text && o.kind != duration {
		written = read
	}
	return read, written, nil
}

// parseNumber returns a number as the file has it, or the text where it is none.
func parseNumber(value string, k kind) any {
	if n, err := parseWhole(value); err == nil {
		return int64(n)
	}
	if n, err := strconv.ParseFloat(value, 64); err == nil && k == number {
		return n
	}
	return value
}

// quoteText writes a text for the file: one of several lines in several.
func quoteText(text string) string {
	if !strings.Contains(text, "\n") {
		return quoteLine(text)
	}
	rows := strings.Split(text, "\n")
	for i, row := range rows {
		quoted := quoteLine(row)
		rows[i] = quoted[1 : len(quoted)-1]
	}
	return `"""` + "\n" + strings.Join(rows, "\n") + `"""`
}

// quoteLine writes a text in one line.
func quoteLine(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\t':
			out.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&out, `\u%04X`, r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// findKey returns the line of a key outside of all tables; -1 where there is none.
func (l lines) findKey(key string) int {
	return slices.IndexFunc(l, func(each line) bool {
		return each.kind == unstable.KeyValue && len(each.path) == 1 && each.path[0] == key
	})
}

// putKey returns the content of a file in which a key has a value.
func putKey(content []byte, key, value string) []byte {
	all := scan(content)
	if i := all.findKey(key); i >= 0 {
		at := all[i].value
		return slices.Replace(slices.Clone(content), int(at.Offset), int(at.Offset+at.Length), []byte(value)...)
	}
	eol := lineEnd(content)
	// Below the keys that begin the file: after a table it would be a key of that.
	at := len(content)
	if first := slices.IndexFunc(all, func(l line) bool { return l.kind == unstable.Table || l.kind == unstable.ArrayTable }); first >= 0 {
		at = 0
		for i, each := range all[:first] {
			if each.kind == unstable.KeyValue {
				at = all.endOf(i, content)
			}
		}
	}
	head := content[:at]
	if len(head) > 0 && !bytes.HasSuffix(head, []byte("\n")) {
		head = slices.Concat(head, []byte(eol))
	}
	return slices.Concat(head, fmt.Appendf(nil, "%s = %s%s", key, value, eol), content[at:])
}

// removeKey returns the content of a file without a key. What is said beside it stays, as a
// comment on a line of its own.
func removeKey(content []byte, key string) []byte {
	all := scan(content)
	i := all.findKey(key)
	if i < 0 {
		return content
	}
	end := all.endOf(i, content)
	value := int(all[i].value.Offset + all[i].value.Length)
	if comment := bytes.IndexByte(content[value:end], '#'); comment >= 0 {
		end = value + comment
	}
	return slices.Delete(slices.Clone(content), all[i].start, end)
}
