package message

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Danger is why a part of a command is marked where the command is shown.
type Danger string

// The dangers (SPEC DESK-05).
const (
	// Deletes files, or changes that exist nowhere else.
	Deletes Danger = "deletes"
	// Forces what is refused otherwise.
	Forces Danger = "force"
	// UsesNetwork reaches other computers.
	UsesNetwork Danger = "network"
	// Outside names something that is not in the folder.
	Outside Danger = "outside"
	// Interprets runs what comes out of another command, or a text, as a program.
	Interprets Danger = "interpreter"
)

// MarkedPart is a part of a command that is dangerous, from one character to before
// another, counted from 0.
type MarkedPart struct {
	From, To int
	Danger   Danger
}

const (
	// begin is where a command can begin, rest what belongs to it.
	begin = `(?:^|[\s;&|(` + "`" + `])`
	rest  = `[^;&|\n]*`
	word  = `(?:[\s;&|)]|$)`
)

// patterns are what is looked for.
type patterns struct {
	// dangers are dangerous parts; the first group of each is what is marked.
	dangers []dangerPattern
	// named is a path that may lie outside: absolute, in a home folder, or above.
	named *regexp.Regexp
	// harmless are places outside that a command may name without harm.
	harmless *regexp.Regexp
}

type dangerPattern struct {
	pattern *regexp.Regexp
	danger  Danger
}

// compiled compiles them when the first command is shown.
var compiled = sync.OnceValue(func() patterns {
	return patterns{
		dangers: []dangerPattern{
			{regexp.MustCompile(begin + `((?:\S*/)?(?:rm|rmdir|unlink|shred|truncate|dd|mkfs\S*)\s` + rest + `)`), Deletes},
			{regexp.MustCompile(`\s(-delete)` + word), Deletes},
			{regexp.MustCompile(begin + `(git\s` + rest + `(?:reset\s` + rest + `--hard|clean\s` + rest + `|branch\s+-D|stash\s+(?:drop|clear)|checkout\s+(?:--|\.)` + word + `|restore\s)` + rest + `)`), Deletes},
			{regexp.MustCompile(begin + `(git\s` + rest + `push\s` + rest + `(?:--force|-f` + word + `|--delete|--mirror|\s\+)` + rest + `)`), Forces},
			{regexp.MustCompile(`\s(--force\S*|--hard|--no-verify|--no-preserve-root)` + word), Forces},
			{regexp.MustCompile(begin + `((?:\S*/)?(?:sudo|doas|su)\s)`), Forces},
			{regexp.MustCompile(begin + `((?:\S*/)?(?:curl|wget|ssh|scp|sftp|rsync|nc|ncat|telnet|ftp)\s` + rest + `)`), UsesNetwork},
			{regexp.MustCompile(begin + `(git\s` + rest + `(?:push|pull|fetch|clone)` + word + `)`), UsesNetwork},
			{regexp.MustCompile(begin + `((?:npm|pnpm|yarn|pip3?|go|cargo|gem|apt|apt-get|brew)\s+(?:install|i|add|ci|get|download|publish|fetch)` + word + `)`), UsesNetwork},
			{regexp.MustCompile(`(\|&?\s*(?:sudo\s+)?(?:\S*/)?(?:sh|bash|zsh|dash|ksh|fish|python[0-9.]*|perl|ruby|node|php|osascript|pwsh))` + word), Interprets},
			{regexp.MustCompile(begin + `(eval\s` + rest + `)`), Interprets},
			{regexp.MustCompile(begin + `((?:sh|bash|zsh|dash)\s+<\(` + rest + `)`), Interprets},
		},
		named:    regexp.MustCompile(`(?:^|[\s=>"'(])((?:~|\$HOME|\$\{HOME\})(?:/[^\s;|&<>"')]*)?|/[^\s;|&<>"')]*|(?:\.\./?)+[^\s;|&<>"')]*)`),
		harmless: regexp.MustCompile(`^/(?:dev/(?:null|stdin|stdout|stderr|tty|fd/[0-9])$|tmp(?:/|$)|(?:usr/(?:local/)?)?bin/)`),
	}
})

// Dangers returns the dangerous parts of a command that starts in a folder, in order
// and apart from each other. It reads the command as a text, so it can miss what is
// written to be missed: it helps a reader and decides nothing.
func Dangers(command, folder string) []MarkedPart {
	var found []MarkedPart
	looked := compiled()
	for _, each := range looked.dangers {
		for _, at := range each.pattern.FindAllStringSubmatchIndex(command, -1) {
			found = append(found, MarkedPart{at[2], at[3], each.danger})
		}
	}
	for _, at := range looked.named.FindAllStringSubmatchIndex(command, -1) {
		if isOutside(command[at[2]:at[3]], folder) {
			found = append(found, MarkedPart{at[2], at[3], Outside})
		}
	}
	slices.SortStableFunc(found, func(a, b MarkedPart) int { return a.From - b.From })
	return inCharacters(command, cutAtOutside(command, found))
}

func isOutside(name, folder string) bool {
	if name == "/" || compiled().harmless.MatchString(name) {
		return name == "/"
	}
	if !strings.HasPrefix(name, "/") {
		return true
	}
	clean, folder := path.Clean(name), path.Clean(folder)
	return clean != folder && !strings.HasPrefix(clean, strings.TrimSuffix(folder, "/")+"/")
}

// cutAtOutside takes out what lies in another part, but for places outside, where it ends
// that part, and the spaces around each.
func cutAtOutside(command string, parts []MarkedPart) []MarkedPart {
	var kept []MarkedPart
	end := 0 // of all parts so far, before any was ended
	for _, part := range parts {
		if n := len(kept); part.From < end && part.Danger == Outside && kept[n-1].From < part.From {
			kept[n-1].To = part.From
		} else if part.From < end {
			continue
		}
		end = max(end, part.To)
		kept = append(kept, part)
	}
	for i, part := range kept {
		text := command[part.From:part.To]
		kept[i].From += len(text) - len(strings.TrimLeft(text, " \t\n"))
		kept[i].To = kept[i].From + len(strings.TrimSpace(text))
	}
	return slices.DeleteFunc(kept, func(part MarkedPart) bool { return part.To <= part.From })
}

// inCharacters counts characters where the parts count bytes.
func inCharacters(command string, parts []MarkedPart) []MarkedPart {
	for i, part := range parts {
		parts[i].From = utf8.RuneCountInString(command[:part.From])
		parts[i].To = parts[i].From + utf8.RuneCountInString(command[part.From:part.To])
	}
	return parts
}

// CommandBreaks returns where the commands after the first begin in a command line,
// in characters from 0: after ;, &&, || and |, outside of quotes and substitutions. A
// line that is not plain to read has none. It is for showing alone.
func CommandBreaks(command string) []int {
	if strings.Contains(command, "<<") {
		return nil
	}
	var breaks []int
	runes := []rune(command)
	quote, depth := rune(0), 0
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; {
		case quote != 0:
			if r == '\\' && quote == '"' {
				i++
			} else if r == quote {
				quote = 0
			}
		case r == '\\':
			i++
		case r == '\'', r == '"', r == '`':
			quote = r
		case r == '(':
			depth++
		case r == ')':
			depth--
		case depth == 0 && (r == ';' || r == '|' || r == '&' && i+1 < len(runes) && runes[i+1] == '&'):
			for i+1 < len(runes) && strings.ContainsRune(";|&", runes[i+1]) {
				i++
			}
			next := i + 1
			for next < len(runes) && (runes[next] == ' ' || runes[next] == '\t') {
				next++
			}
			if next < len(runes) && runes[next] != '\n' && runes[next] != '#' {
				breaks = append(breaks, next)
			}
		}
	}
	if quote != 0 || depth != 0 {
		return nil
	}
	return breaks
}
