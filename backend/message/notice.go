package message

import (
	"fmt"
	"strings"
)

// Autorun says which programs act on a file by themselves, without being asked to:
// who writes such a file has them run what it says. The list is open; a value that
// is not known means other programs.
type Autorun string

// The programs. The zero value means that none does.
const (
	// AutorunGit is git: it runs hooks, and programs that its settings name.
	AutorunGit Autorun = "git"
	// AutorunEditor is an editor that a folder is opened in.
	AutorunEditor Autorun = "editor"
	// AutorunAssistant is a coding assistant.
	AutorunAssistant Autorun = "assistant"
	// AutorunShell is a shell or a terminal program.
	AutorunShell Autorun = "shell"
	// AutorunEnvironment is what sets up the programs of a project: version managers,
	// package managers, containers.
	AutorunEnvironment Autorun = "environment"
	// AutorunTask is a task runner or a manager of git hooks.
	AutorunTask Autorun = "task"
	// AutorunCI is a service that builds what is pushed.
	AutorunCI Autorun = "ci"
)

// Sentence says in English what the programs do with the file, as the end of a sentence
// about it: for the command line and the model.
func (a Autorun) Sentence() string {
	switch a {
	case AutorunGit:
		return "git runs what it says"
	case AutorunEditor:
		return "editors can run what it says when the folder is opened"
	case AutorunAssistant:
		return "coding assistants follow what it says"
	case AutorunShell:
		return "shells and terminals can run what it says when they start"
	case AutorunEnvironment:
		return "it decides which programs run when the project is used"
	case AutorunTask:
		return "task runners and git hooks run what it says"
	case AutorunCI:
		return "a CI service runs what it says after a push"
	default:
		return "other programs run what it says"
	}
}

// NoticeCode says what a notice is about. The list is closed.
type NoticeCode string

// The codes of notices.
const (
	// NoticeNew is about a file that programs act on by themselves and that was not
	// there before: Path, Autorun.
	NoticeNew NoticeCode = "autorun_new"
	// NoticeChanged is about one that is not as it was: Path, Autorun.
	NoticeChanged NoticeCode = "autorun_changed"
	// NoticeMore stands for further ones of a kind that are not named: Autorun, Count.
	NoticeMore NoticeCode = "autorun_more"
	// NoticeIncomplete tells that the folder was not looked at to the end: Gap, Path.
	NoticeIncomplete NoticeCode = "autorun_incomplete"
	// NoticeNotPinned is about a file that a command could change while it ran: Path,
	// Autorun.
	NoticeNotPinned NoticeCode = "autorun_not_pinned"
	// NoticePinned is about one that a command tried to change and could not: Path,
	// Autorun.
	NoticePinned NoticeCode = "autorun_pinned"
	// NoticeToolsMissing is about tools that a run has to do without, because where they
	// come from has failed: Toolset, Error.
	NoticeToolsMissing NoticeCode = "tools_missing"
	// NoticeUndone is about changes of earlier calls that the user has taken back: Paths,
	// and Count of those that are not named.
	NoticeUndone NoticeCode = "undone"
	// NoticeRedone is about some that were taken back, and that the user has made again:
	// Paths, Count.
	NoticeRedone NoticeCode = "redone"
	// NoticePartly is about a file in which the user has taken parts of what earlier calls
	// changed back, or made them again: Paths.
	NoticePartly NoticeCode = "partly_undone"
	// NoticeApplied is about changes that a command had made in a copy of the folder and that
	// were set aside, and NoticeDropped about such ones that are gone: Paths, Count.
	NoticeApplied NoticeCode = "applied"
	NoticeDropped NoticeCode = "dropped"
	// NoticeDraftApplied is about changes of a draft that the user has applied, and
	// NoticeDraftDropped about those of one that was dropped: Paths, Count.
	NoticeDraftApplied NoticeCode = "draft_applied"
	NoticeDraftDropped NoticeCode = "draft_dropped"
	// NoticeInstructions is about a file with instructions that the model is given from now on,
	// because a call touched a file near it, and NoticeInstructionsLeftOut about one that it is
	// not given, because the user has not agreed to it as it is now: Path. NoticeInstructionsFull
	// is about one that is left out because instructions may take no more: Path.
	NoticeInstructions        NoticeCode = "instructions"
	NoticeInstructionsLeftOut NoticeCode = "instructions_left_out"
	NoticeInstructionsFull    NoticeCode = "instructions_full"
	// NoticeForked begins a conversation that was forked from another one, whose later changes are
	// in the folder. NoticeForkedDraft begins one in a draft, in which the files are as they were
	// then, but for Paths, Count.
	NoticeForked      NoticeCode = "forked"
	NoticeForkedDraft NoticeCode = "forked_draft"
)

// NoticeGap is why a look at the folder is incomplete.
type NoticeGap string

// The gaps.
const (
	// GapEntries is a folder with more entries than are looked at.
	GapEntries NoticeGap = "entries"
	// GapTime is that the time for the look was over.
	GapTime NoticeGap = "time"
	// GapUnreadable is a folder that cannot be read.
	GapUnreadable NoticeGap = "unreadable"
	// GapSettings is a settings file of git that cannot be read, or includes too many.
	GapSettings NoticeGap = "settings"
)

// Notice is something that the user should know of what a call did, beside its result.
type Notice struct {
	Code NoticeCode `json:"code"`
	// Data are the details that belong to Code.
	Data NoticeData `json:"data"`
}

// NoticeData are the details of a notice.
type NoticeData struct {
	// Path is the file, relative to the workspace, with slashes.
	Path string `json:"path,omitempty"`
	// Paths are files and folders, as Path is one.
	Paths []string `json:"paths,omitempty"`
	// Autorun says what acts on the file.
	Autorun Autorun `json:"autorun,omitempty"`
	// Count is how many more there are.
	Count int `json:"count,omitempty"`
	// Gap is why a look is incomplete.
	Gap NoticeGap `json:"gap,omitempty"`
	// Toolset is where tools come from.
	Toolset string `json:"toolset,omitempty"`
	// Error is what failed, in English.
	Error string `json:"error,omitempty"`
	// ProcessID names the command in the background that the notice is about; empty in
	// the result of a call, which is about its own command.
	ProcessID string `json:"processId,omitempty"`
}

// String is the notice as a sentence in English, without an end.
func (n Notice) String() string {
	text := n.describeNotice()
	if n.Data.ProcessID != "" {
		return fmt.Sprintf("after command %s: %s", n.Data.ProcessID, text)
	}
	return text
}

func (n Notice) describeNotice() string {
	path, programs := Inline(n.Data.Path), n.Data.Autorun.Sentence()
	switch n.Code {
	case NoticeNew:
		return fmt.Sprintf("%s is new: %s", path, programs)
	case NoticeChanged:
		return fmt.Sprintf("%s was changed: %s", path, programs)
	case NoticeMore:
		return fmt.Sprintf("%d more like that: %s", n.Data.Count, programs)
	case NoticeNotPinned:
		return fmt.Sprintf("%s could be changed while the command ran: %s", path, programs)
	case NoticePinned:
		way := "change it with write_file or edit_file, about which the user is asked"
		if n.Data.Autorun == AutorunGit {
			way = "ask the user to change it"
		}
		return fmt.Sprintf("%s is read-only while commands run, because %s: %s", path, programs, way)
	case NoticeToolsMissing:
		return fmt.Sprintf("the tools of %s are missing in this run: %s", Inline(n.Data.Toolset), Inline(n.Data.Error))
	case NoticeUndone:
		return "the user has taken back what you changed in " + joinPaths(n.Data.Paths, n.Data.Count) + ": read it again before you go on"
	case NoticeRedone:
		return "the user has made your changes again in " + joinPaths(n.Data.Paths, n.Data.Count)
	case NoticeApplied:
		return "the user has applied changes of a command that were set aside, in " + joinPaths(n.Data.Paths, n.Data.Count)
	case NoticeDropped:
		return "the user has dropped changes of a command that were set aside, in " + joinPaths(n.Data.Paths, n.Data.Count)
	case NoticeDraftApplied:
		return "the user has applied what you did in the draft to the folder, in " + joinPaths(n.Data.Paths, n.Data.Count)
	case NoticeDraftDropped:
		return "the user has dropped the draft: what you did in it is gone, in " + joinPaths(n.Data.Paths, n.Data.Count)
	case NoticeForked:
		return "the user has gone back to this point of the conversation: what you did after it is not part of it, but it is in the files; read them again"
	case NoticeForkedDraft:
		text := "the user has gone back to this point of the conversation, and the files are as they were then"
		if len(n.Data.Paths) == 0 {
			return text
		}
		return text + ", but not " + joinPaths(n.Data.Paths, n.Data.Count) + ": read these again"
	case NoticeInstructions:
		return path + " has instructions for the files near it, which follow"
	case NoticeInstructionsLeftOut:
		return path + " has instructions for the files near it, and is left out: the user has not agreed to it as it is now"
	case NoticeInstructionsFull:
		return path + " has instructions for the files near it, and is left out: there are too many instructions"
	case NoticePartly:
		return "the user has taken parts of what you changed back, or made them again, in " + joinPaths(n.Data.Paths, n.Data.Count) + ": read it again before you go on"
	case NoticeIncomplete:
	}
	const incomplete = "not everything was looked at"
	folder := path
	if folder == "." {
		folder = "the folder"
	}
	switch n.Data.Gap {
	case GapEntries:
		return fmt.Sprintf("%s: %s has too many entries", incomplete, folder)
	case GapTime:
		return incomplete + ": there was no time left"
	case GapUnreadable:
		return fmt.Sprintf("%s: %s cannot be read", incomplete, folder)
	case GapSettings:
		return fmt.Sprintf("%s: git's settings in %s cannot be read, or include too many files", incomplete, path)
	}
	return incomplete
}

// joinPaths names paths in English, and more that are not named.
func joinPaths(paths []string, more int) string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = Inline(path)
	}
	text := strings.Join(names, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// NoticeLine is what the model reads of notices: one line that it does not take for the
// output of a tool; empty for none.
func NoticeLine(notices []Notice) string {
	if len(notices) == 0 {
		return ""
	}
	sentences := make([]string, len(notices))
	for i, n := range notices {
		sentences[i] = n.String()
	}
	return "[Fairlead noticed: " + strings.Join(sentences, "; ") + "]"
}
