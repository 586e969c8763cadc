package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// byteOrderMark is what some editors begin a file with.
var byteOrderMark = []byte("\ufeff")

// ownBlock writes a provider as a table, with lines that end in eol, and returns it
// as it will be read again.
func ownBlock(p OwnProvider, eol string) ([]byte, OwnProvider, error) {
	if err := ownName(p.Name); err != nil {
		return nil, OwnProvider{}, err
	}
	written := struct {
		Title         string            `toml:"title,omitempty"`
		BaseURL       string            `toml:"base_url"`
		KeyEnv        string            `toml:"api_key_env,omitempty"`
		Dialect       string            `toml:"dialect,omitempty"`
		Headers       map[string]string `toml:"headers,inline,omitempty"`
		Body          map[string]any    `toml:"body,inline,omitempty"`
		WrittenCalls  bool              `toml:"written_calls,omitempty"`
		Protocol      string            `toml:"protocol,omitempty"`
		Family        string            `toml:"family,omitempty"`
		ContextWindow int               `toml:"context_window,omitempty"`
	}{p.Title, p.BaseURL, p.KeyEnv, p.Dialect, p.Headers, map[string]any{}, p.WrittenCalls, p.Protocol, p.Family, p.ContextWindow}
	for name, value := range p.Body {
		plain, err := tomlValue(value)
		if err != nil {
			return nil, OwnProvider{}, fmt.Errorf("field %q of body cannot be written: %w", name, err)
		}
		written.Body[name] = plain
	}
	text, err := toml.Marshal(written)
	if err != nil {
		return nil, OwnProvider{}, fmt.Errorf("provider %s cannot be written: %s", p.Name, oneLine(err.Error()))
	}
	block := fmt.Appendf(nil, "[%s.%s]\n%s", ownTable, p.Name, text)
	read, err := parse(block)
	if fault, ok := errors.AsType[*FileError](err); ok {
		return nil, OwnProvider{}, errors.New(fault.Reason)
	}
	return bytes.ReplaceAll(block, []byte("\n"), []byte(eol)), read.own[0], nil
}

// tomlValue reads JSON as TOML has it, where whole numbers are none with a fraction.
func tomlValue(text json.RawMessage) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return withNumbers(value)
}

func withNumbers(value any) (any, error) {
	var err error
	switch v := value.(type) {
	case nil:
		return nil, errors.New("the file has no word for null")
	case json.Number:
		if whole, err := v.Int64(); err == nil {
			return whole, nil
		}
		number, err := v.Float64()
		if err != nil || math.IsInf(number, 0) {
			return nil, fmt.Errorf("%s is too large a number", v)
		}
		return number, nil
	case []any:
		for i := range v {
			if v[i], err = withNumbers(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for name := range v {
			if v[name], err = withNumbers(v[name]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

// lineEnd returns how the lines of a text end.
func lineEnd(content []byte) string {
	if i := bytes.IndexByte(content, '\n'); i > 0 && content[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// joinTable puts a table after a text, with a blank line between them.
func joinTable(content, table []byte) []byte {
	if len(content) == 0 {
		return table
	}
	eol := []byte(lineEnd(content))
	whole := slices.Clone(content)
	if !bytes.HasSuffix(whole, []byte("\n")) {
		whole = append(whole, eol...)
	}
	return slices.Concat(whole, eol, table)
}

// exchangeTable puts a new table where an old one begins, and takes out the old one with
// those inside it. With no new table, the blank line before each goes too, where
// another one, or nothing, follows. Comments after the last key stay: they may be about
// what comes next.
func exchangeTable(content []byte, all lines, path []string, table []byte) []byte {
	changed := slices.Clone(content)
	first := slices.IndexFunc(all, func(l line) bool { return l.kind == unstable.Table && hasPrefix(l.path, path) })
	for i := len(all) - 1; i >= first; i-- {
		if all[i].kind != unstable.Table || !hasPrefix(all[i].path, path) {
			continue
		}
		start, end := all[i].start, all.endOfTable(i, content)
		if i == first && table != nil {
			changed = slices.Replace(changed, start, end, table...)
			continue
		}
		if blank := blankBefore(content[:start]); blank > 0 && blankFollows(content[end:]) {
			start -= blank
		}
		changed = slices.Delete(changed, start, end)
	}
	return changed
}

// endOfTable returns where the line of the last key of a table ends, in bytes from 0.
func (l lines) endOfTable(table int, content []byte) int {
	last := table
	for i := table + 1; i < len(l) && l[i].kind != unstable.Table && l[i].kind != unstable.ArrayTable; i++ {
		if l[i].kind == unstable.KeyValue {
			last = i
		}
	}
	return l.endOf(last, content)
}

// blankBefore returns the length of the blank line at the end of a text, in bytes; 0
// where there is none.
func blankBefore(text []byte) int {
	if !bytes.HasSuffix(text, []byte("\n")) {
		return 0
	}
	begin := bytes.LastIndexByte(text[:len(text)-1], '\n') + 1
	if len(bytes.TrimSpace(text[begin:])) > 0 {
		return 0
	}
	return len(text) - begin
}

// blankFollows reports whether a text is empty or begins with a blank line.
func blankFollows(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return len(bytes.TrimSpace(first)) == 0
}
