package message

// QuestionKind is what the user is asked to decide about. The list is closed; every entry
// point has words of its own for each kind.
type QuestionKind string

// The kinds of question.
const (
	// QuestionEdit is about a change of files that a call is to make.
	QuestionEdit QuestionKind = "edit"
	// QuestionCommand is about a command that a call is to run.
	QuestionCommand QuestionKind = "command"
	// QuestionNetwork is about the network: for a command, or for a request to a host.
	QuestionNetwork QuestionKind = "network"
	// QuestionCall is about a call that changes nothing, but which the model wrote into
	// its text, where it may be an example (SPEC MSG-08).
	QuestionCall QuestionKind = "call"
	// QuestionChanges is about changes that a call has made in a copy: they are applied
	// or dropped.
	QuestionChanges QuestionKind = "changes"
	// QuestionOutput is about keys in what a command has printed about which nobody was asked:
	// the model is given them, or they stay hidden.
	QuestionOutput QuestionKind = "output"
)

// IsAfter reports whether a question is about what a call has done already, which is taken or
// left as it is.
func (k QuestionKind) IsAfter() bool { return k == QuestionChanges || k == QuestionOutput }

// Question is what the user is asked about a call.
type Question struct {
	Kind QuestionKind
	// Preview is what the user is shown.
	Preview Preview
	// Cause is why the question is asked again, or at all; nil where calls of the kind are
	// always asked about.
	Cause *Cause
}

// AskBefore returns the question whether a call may run that would do what the preview
// shows.
func AskBefore(preview Preview, cause *Cause) Question {
	kind := map[Effect]QuestionKind{
		EffectFiles: QuestionEdit, EffectCommand: QuestionCommand, EffectNetwork: QuestionNetwork, EffectNone: QuestionCall,
	}[preview.Effect]
	return Question{Kind: kind, Preview: preview, Cause: cause}
}

// CauseCode names why a question is asked again, or at all. The list is closed.
type CauseCode string

// The causes.
const (
	// CauseEdited is that the user edited the call: it is shown as it will run.
	CauseEdited CauseCode = "edited"
	// CauseEditUnfit is that the user edited the call in a way that cannot be used: it is
	// shown as it was before. Error says what is wrong.
	CauseEditUnfit CauseCode = "edit_unfit"
	// CauseFileChanged is that the file changed since it was shown: Path.
	CauseFileChanged CauseCode = "file_changed"
	// CauseWritten is that the model wrote the call into its text.
	CauseWritten CauseCode = "written"
)

// Cause is why a question is asked again, or at all.
type Cause struct {
	Code CauseCode `json:"code"`
	// Data are the details that belong to Code.
	Data CauseData `json:"data"`
}

// CauseData are the details of a cause.
type CauseData struct {
	// Path is the file that changed, relative to the workspace, with slashes.
	Path string `json:"path,omitempty"`
	// Error is why the edited arguments cannot be used.
	Error *ToolError `json:"error,omitempty"`
}

// ByEdit reports whether the user has just edited what is asked about (SPEC HITL-11).
func (c *Cause) ByEdit() bool {
	return c != nil && (c.Code == CauseEdited || c.Code == CauseEditUnfit)
}

// String is the cause in English, without a full stop: for the terminal, the log and
// readers of the events; empty for none.
func (c *Cause) String() string {
	if c == nil {
		return ""
	}
	switch c.Code {
	case CauseEdited:
		return "edited by you"
	case CauseEditUnfit:
		return "edited, but " + c.Data.Error.Message
	case CauseFileChanged:
		return "the file changed since it was shown"
	case CauseWritten:
		return "the model wrote this call into its text"
	}
	return string(c.Code)
}
