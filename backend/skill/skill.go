// Package skill finds skills (SPEC EXT-04): folders with instructions for one kind of task, in a
// file SKILL.md, and scripts and other files that these need. They are the user's own or come with
// a workspace. Nothing in them runs by itself, and nothing they say about permissions is obeyed. A
// model reads them with the tool read_skill, which gives a skill only as long as it is, to the
// byte, the one that the user agreed to.
package skill

// TextFile is the file that makes a folder a skill.
const TextFile = "SKILL.md"

// Source is where a skill comes from.
type Source string

// The sources.
const (
	// SourceUser is the user's settings folder.
	SourceUser Source = "user"
	// SourceWorkspace is the workspace: the skill was written by anybody.
	SourceWorkspace Source = "workspace"
)

// Skill is one skill, as it was when it was found. What it says of itself is foreign text, in
// valid UTF-8, which can have control characters and hidden ones.
type Skill struct {
	// Name is what it is called by: 1 to 64 of a-z, 0-9 and hyphens.
	Name string `json:"name"`
	// Description says what it is for, in at most 1,024 characters; never empty.
	Description string `json:"description"`
	// License and Compatibility are its own words, in at most 500 characters.
	License       string `json:"license,omitempty"`
	Compatibility string `json:"compatibility,omitempty"`
	// AllowedTools is what it says about tools it wants to use unasked, in at most 1,024
	// characters. It is shown to the user and never obeyed.
	AllowedTools string `json:"allowedTools,omitempty"`
	// Folder is where it lies, as a command names it: relative to the workspace with slashes, or
	// the absolute path of one of the user's own. It is in the form of workspace.Shown.
	Folder string `json:"folder"`
	Source Source `json:"source"`
	// Files are all that is in it, SKILL.md included, in the order of paths.
	Files []File `json:"files"`
	// SHA256 identifies the skill, in hexadecimal: that of the paths, kinds and contents of all
	// its files.
	SHA256 string `json:"sha256"`
	// Warnings are what is odd about it.
	Warnings []Warning `json:"warnings,omitempty"`

	// at is where it is read from again.
	at place
}

// File is a file of a skill, or a link in it.
type File struct {
	// Path is relative to the skill's folder, with slashes, in the form of workspace.Shown.
	Path string `json:"path"`
	// Bytes is its length; 0 for a link.
	Bytes int64 `json:"bytes"`
	// Executable reports whether a command can run it as a program.
	Executable bool `json:"executable,omitempty"`
	// Link is where a link leads, as it is written in it; empty for a file. It is not followed.
	Link string `json:"link,omitempty"`
	// Secret reports whether it holds keys or passwords by its name: no model is given it.
	Secret bool `json:"secret,omitempty"`
}

// WarningCode says what is odd about a skill. The list is closed.
type WarningCode string

// The codes of warnings.
const (
	// WarningName is a name that breaks the rules for names, or is not that of the folder: Text.
	WarningName WarningCode = "name"
	// WarningCut is a text that was too long and is cut: Text is its key.
	WarningCut WarningCode = "cut"
	// WarningRepeated is a key that stands in the front matter more than once: Text.
	WarningRepeated WarningCode = "repeated"
	// WarningUnread are lines of the front matter that are not understood: Count.
	WarningUnread WarningCode = "unread"
	// WarningEncoding is a text with bytes that are no UTF-8; Text names its encoding, if it is
	// known.
	WarningEncoding WarningCode = "encoding"
	// WarningShadows is that another skill of the same name is used only without this one: Text
	// is its folder.
	WarningShadows WarningCode = "shadows"
	// WarningShadowed is that this one is used only without another of the same name: Text is
	// its folder.
	WarningShadowed WarningCode = "shadowed"
)

// Warning is something odd about a skill, which can be used all the same.
type Warning struct {
	Code WarningCode `json:"code"`
	// Text and Count are the details that belong to Code; Text is foreign text.
	Text  string `json:"text,omitempty"`
	Count int    `json:"count,omitempty"`
}

// Reason is why something is left out. The list is closed.
type Reason string

// The reasons.
const (
	// ReasonName is that neither the folder nor the skill has a name that can be used.
	ReasonName Reason = "name"
	// ReasonNoFrontMatter is a SKILL.md that begins with no front matter, ReasonOpenFrontMatter
	// one whose front matter does not end, and ReasonNoDescription one that does not say what
	// the skill is for.
	ReasonNoFrontMatter   Reason = "no_front_matter"
	ReasonOpenFrontMatter Reason = "open_front_matter"
	ReasonNoDescription   Reason = "no_description"
	// ReasonNotText is a SKILL.md that is no text, ReasonLongText one of more than Limit bytes.
	ReasonNotText  Reason = "not_text"
	ReasonLongText Reason = "long_text"
	// ReasonManyFiles is a skill with more than Limit files, ReasonManyFolders one with more
	// than Limit folders, ReasonManyBytes one with more than Limit bytes.
	ReasonManyFiles   Reason = "many_files"
	ReasonManyFolders Reason = "many_folders"
	ReasonManyBytes   Reason = "many_bytes"
	// ReasonDeep is that something lies more than Limit folders deep.
	ReasonDeep Reason = "deep"
	// ReasonLink is a folder or a SKILL.md that is a link, ReasonSpecial a pipe, a socket, a
	// device or the like, ReasonNoFolder something else in the place of a folder.
	ReasonLink     Reason = "link"
	ReasonSpecial  Reason = "special"
	ReasonNoFolder Reason = "no_folder"
	// ReasonSecret is a SKILL.md that is another name of a file for keys or passwords.
	ReasonSecret Reason = "secret"
	// ReasonChanged is a skill that changed while it was read.
	ReasonChanged Reason = "changed"
	// ReasonUnreadable is what the system does not let be read: Detail.
	ReasonUnreadable Reason = "unreadable"
	// ReasonMoreSkills, ReasonMoreFolders, ReasonMoreBytes and ReasonMoreLeftOut are that nothing
	// was looked at from here on, because Limit skills, folders, bytes or left-out ones came
	// before. ReasonMoreEntries is a folder with more than Limit entries, of which some were not
	// looked at.
	ReasonMoreSkills  Reason = "more_skills"
	ReasonMoreFolders Reason = "more_folders"
	ReasonMoreBytes   Reason = "more_bytes"
	ReasonMoreLeftOut Reason = "more_left_out"
	ReasonMoreEntries Reason = "more_entries"
)

// LeftOut is something that is not used.
type LeftOut struct {
	// Path is where it lies, in the form of Skill.Folder.
	Path   string `json:"path"`
	Source Source `json:"source"`
	Reason Reason `json:"reason"`
	// Limit is the bound that it exceeds; 0 for other reasons.
	Limit int64 `json:"limit,omitempty"`
	// Detail is what the system said, in its own words.
	Detail string `json:"detail,omitempty"`
}

// Found is what there is.
type Found struct {
	// Skills are those that can be agreed to, in the order of names; of several with one name,
	// the one that is used comes first. It is never nil.
	Skills []Skill `json:"skills"`
	// LeftOut are those that cannot, and why, in the order in which they were looked at.
	LeftOut []LeftOut `json:"leftOut,omitempty"`
}

// Choose returns the skills for which agreed returns true, one of each name: that of the workspace
// rather than the user's own, and that in .agents rather than that in .claude. One that nobody
// agreed to stands in the way of none.
func (f Found) Choose(agreed func(Skill) bool) []Skill {
	var chosen []Skill
	for _, s := range f.Skills {
		if (len(chosen) == 0 || chosen[len(chosen)-1].Name != s.Name) && agreed(s) {
			chosen = append(chosen, s)
		}
	}
	return chosen
}
