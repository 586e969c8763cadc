package message

import "encoding/json"

// Display is what an entry point shows of a call to a tool that it need not know. It
// stays with the call, so that a saved conversation is shown when there is no such tool
// any more.
type Display struct {
	// Title says in a few English words what the tool does. It is shown where there is
	// no word for Verb, or no Subject.
	Title string `json:"title"`
	// Verb is what a call does, for the entry points to translate.
	Verb Verb `json:"verb,omitempty"`
	// Subject is what a call is about; the zero value where that is nothing.
	Subject Subject `json:"subject,omitzero"`
	// Icon is a drawing that stands beside Title.
	Icon Icon `json:"icon,omitempty"`
	// Form are the texts of a call that a user may read and edit one by one before it
	// runs. Without them, or where a call does not have all of them, the arguments are
	// edited as JSON.
	Form []FormField `json:"form,omitempty"`
}

// Verb is what calls to a tool do. The list is open: where an entry point has no word for
// a verb, it shows the title.
type Verb string

// The verbs that entry points have words for.
const (
	VerbRead   Verb = "read"
	VerbList   Verb = "list"
	VerbSearch Verb = "search"
	VerbWrite  Verb = "write"
	VerbEdit   Verb = "edit"
	VerbDelete Verb = "delete"
	VerbMove   Verb = "move"
	// VerbRun waits for a command, VerbStart leaves one in the background, VerbLook looks
	// at it there and VerbStop ends it.
	VerbRun   Verb = "run"
	VerbStart Verb = "start"
	VerbLook  Verb = "look"
	VerbStop  Verb = "stop"
	VerbFetch Verb = "fetch"
	// VerbRemember adds to the memory of the workspace.
	VerbRemember Verb = "remember"
)

// Subject says which argument a call is about, and how that is shown.
type Subject struct {
	// Arguments are names of arguments. The first one that is a text and not empty is
	// the subject.
	Arguments []string    `json:"arguments"`
	Kind      SubjectKind `json:"kind"`
	// To is the argument with what the subject becomes, as the path that a file is moved to;
	// empty where it stays what it is.
	To string `json:"to,omitempty"`
}

// Of returns what a call with these arguments is about, as it stands there; empty where it
// names nothing.
func (s Subject) Of(arguments json.RawMessage) string { return firstText(arguments, s.Arguments...) }

// Becomes returns what the subject of a call with these arguments becomes; empty where it stays
// what it is.
func (s Subject) Becomes(arguments json.RawMessage) string {
	if s.To == "" {
		return ""
	}
	return firstText(arguments, s.To)
}

// firstText returns the first of some arguments that is a text and not empty.
func firstText(arguments json.RawMessage, names ...string) string {
	var given map[string]json.RawMessage
	if len(names) == 0 || json.Unmarshal(arguments, &given) != nil {
		return ""
	}
	for _, name := range names {
		var text string
		if json.Unmarshal(given[name], &text) == nil && text != "" {
			return text
		}
	}
	return ""
}

// SubjectKind is how a subject is shown. The list is open; one that is not known is
// shown as a text.
type SubjectKind string

// The kinds of subject.
const (
	// SubjectPath is a file or a folder of the workspace.
	SubjectPath SubjectKind = "path"
	// SubjectFolder is one too; a call that names none is about the workspace.
	SubjectFolder  SubjectKind = "folder"
	SubjectCommand SubjectKind = "command"
	SubjectAddress SubjectKind = "address"
	SubjectText    SubjectKind = "text"
)

// Icon names a drawing. The list is open; an entry point has a neutral one for a name
// that it does not know.
type Icon string

// The drawings.
const (
	IconFile     Icon = "file"
	IconFolder   Icon = "folder"
	IconSearch   Icon = "search"
	IconPencil   Icon = "pencil"
	IconTerminal Icon = "terminal"
	IconGlobe    Icon = "globe"
	IconTrash    Icon = "trash"
	IconMove     Icon = "move"
)

// FormField is a text among the arguments of a call.
type FormField struct {
	// At is where it stands: the names that lead to it with slashes between them, and *
	// for every element of a list, such as edits/*/new.
	At string `json:"at"`
	// Fixed texts are shown and not edited.
	Fixed bool `json:"fixed,omitempty"`
}
