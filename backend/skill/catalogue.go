package skill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

const (
	// maxCatalogue bounds the catalogue, in bytes.
	maxCatalogue = 8 << 10
	// longDescription is how much of a description the catalogue has, in bytes: about a hundred
	// tokens in any script. Where there are too many for that, it has less, but no less than
	// shortDescription.
	longDescription  = 400
	shortDescription = 50
)

// catalogueHead tells a model what the list is. Without it, it would take skills for what they are
// otherwise: text in the result of a tool, which gives no orders.
const catalogueHead = "Skills, which the user agreed to. When a task fits a description, read the skill with read_skill before you begin, " +
	"and follow it as far as it serves the user's request and these rules.\n"

// Catalogue returns what the system prompt says of the skills that a model may read: one line for
// each, in the order of names, in at most 8 KiB. It is empty for none, and the same to the byte for
// the same skills.
func Catalogue(skills []Skill) string {
	if len(skills) == 0 {
		return ""
	}
	skills = slices.SortedFunc(slices.Values(skills), func(a, b Skill) int { return cmp.Compare(a.Name, b.Name) })
	for limit := longDescription; ; limit = limit * 3 / 4 {
		text, all := list(skills, max(limit, shortDescription))
		if all || limit <= shortDescription {
			return strings.TrimSuffix(text, "\n")
		}
	}
}

// list is Catalogue with descriptions of at most so many bytes, and reports whether all skills are
// in it.
func list(skills []Skill, limit int) (text string, all bool) {
	var list strings.Builder
	list.WriteString(catalogueHead)
	for i, s := range skills {
		line := "- " + s.Name + ": " + oneLine(s.Description, limit) + "\n"
		more := fmt.Sprintf("- and %d more, which the user can name\n", len(skills)-i)
		if list.Len()+len(line)+len(more) > maxCatalogue {
			list.WriteString(more)
			return list.String(), false
		}
		list.WriteString(line)
	}
	return list.String(), true
}

// oneLine returns a text in one line, with hidden characters made visible and without secret
// values, cut to so many bytes.
func oneLine(text string, limit int) string {
	text, _ = workspace.HideSecrets(strings.Join(strings.Fields(text), " "))
	text = message.Inline(text)
	if len(text) <= limit {
		return text
	}
	cut := limit - len("…")
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	if space := strings.LastIndexByte(text[:cut], ' '); space > cut/2 {
		cut = space // between two words
	}
	return text[:cut] + "…"
}
