package desktop

import (
	"encoding/json"
	"errors"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
	"fairlead/backend/workspace"
)

// Fault is an error as the page gets it: a code that it has words for in each
// language, and the words of the code that found the fault.
type Fault struct {
	Code Code `json:"code"`
	// Message says what was tried and what went wrong.
	Message string `json:"message"`
	// Hint says what to do next; empty when Message does.
	Hint string `json:"hint,omitempty"`
	// Reason tells the faults of one code apart, where the page has words for each: one of
	// workspace.RefusedReason for FOLDER_REFUSED.
	Reason string `json:"reason,omitempty"`
}

// Code names a kind of fault.
type Code string

// The codes that are the window's own. A fault can also have one of
// message.RefusalCode, of message.ToolCode when a file was read, or of
// message.FailCode when a model was tested.
const (
	// CodeNoFolder means that no workspace is chosen yet.
	CodeNoFolder Code = "NO_FOLDER"
	// CodeNoModel means that no model is chosen yet.
	CodeNoModel Code = "NO_MODEL"
	// CodeFolderRefused means that a folder cannot be a workspace.
	CodeFolderRefused Code = "FOLDER_REFUSED"
	// CodeUsage means that what was asked for makes no sense.
	CodeUsage Code = "USAGE"
	// CodeKeyring means that the system keyring did not keep or give a key.
	CodeKeyring Code = "KEYRING"
	// CodeNoKey means that the chosen model needs a key and there is none.
	CodeNoKey Code = "NO_KEY"
	// CodeElsewhere means that another process of Fairlead is working on it.
	CodeElsewhere Code = "ELSEWHERE"
	// CodeConflict means that somebody else has changed the same lines.
	CodeConflict Code = "CONFLICT"
	// CodeHasDraft means that a conversation has a draft, which is to be decided about first.
	CodeHasDraft Code = "HAS_DRAFT"
	// CodeRunnable means that a file is not opened because the system could run it.
	CodeRunnable Code = "RUNNABLE"
	// CodeInternal means that Fairlead itself is at fault.
	CodeInternal Code = "INTERNAL"
)

func (f *Fault) Error() string {
	if f.Hint == "" {
		return f.Message
	}
	return f.Message + "; " + f.Hint
}

// Format turns the error of a bound method into what the page's promise is
// rejected with: a JSON object in a string, because the library passes nothing
// else on whole.
func Format(err error) any {
	text, _ := json.Marshal(faultOf(err).cutTexts()) // strings always encode
	return string(text)
}

// cutTexts returns the fault with its texts cut to what a page is sent.
func (f *Fault) cutTexts() Fault {
	return Fault{Code: f.Code, Message: cutText(f.Message, maxMessage), Hint: cutText(f.Hint, maxHint), Reason: f.Reason}
}

// maxMessage and maxHint bound a fault's words, in bytes, so that the whole stays
// below maxJSON however it is escaped, once as a fault and once as a string.
const (
	maxMessage = 768
	maxHint    = 256
)

// faultWithoutKeys is faultOf without the known keys.
func (w *Window) faultWithoutKeys(err error) *Fault {
	fault := *faultOf(err)
	fault.Message, fault.Hint = string(w.redactKeys([]byte(fault.Message))), string(w.redactKeys([]byte(fault.Hint)))
	return &fault
}

// failure is the error of a model, with the code that a run would end with.
type failure interface {
	error
	FailCode() message.FailCode
}

// faultOf finds the code and the words for an error.
func faultOf(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	if refusal, ok := errors.AsType[*message.Refusal](err); ok {
		if refusal.Elsewhere {
			return &Fault{Code: CodeElsewhere, Message: refusal.Message}
		}
		return &Fault{Code: Code(refusal.Code), Message: refusal.Message}
	}
	if refused, ok := errors.AsType[*workspace.RefusedError](err); ok {
		return &Fault{Code: CodeFolderRefused, Message: refused.Error(), Hint: refused.Hint, Reason: string(refused.Reason)}
	}
	if usage, ok := errors.AsType[*catalog.UsageError](err); ok {
		if usage.NoKey {
			return &Fault{Code: CodeNoKey, Message: usage.Message, Hint: usage.Hint}
		}
		return &Fault{Code: CodeUsage, Message: usage.Message, Hint: usage.Hint}
	}
	if refused, ok := errors.AsType[*message.ToolError](err); ok {
		return &Fault{Code: Code(refused.Code), Message: refused.Message}
	}
	if locked, ok := errors.AsType[*secret.KeyringError](err); ok {
		return &Fault{Code: CodeKeyring, Message: locked.Error()}
	}
	if left, ok := errors.AsType[*settings.EditError](err); ok {
		return &Fault{Code: CodeUsage, Message: left.Error()}
	}
	if wrong, ok := errors.AsType[*settings.ValueError](err); ok {
		return &Fault{Code: CodeUsage, Message: wrong.Error()}
	}
	if broken, ok := errors.AsType[*settings.FileError](err); ok {
		return &Fault{Code: CodeUsage, Message: broken.Error(), Hint: "mend that line of the settings file first"}
	}
	if failed, ok := errors.AsType[failure](err); ok {
		return &Fault{Code: Code(failed.FailCode()), Message: failed.Error()}
	}
	return &Fault{Code: CodeInternal, Message: err.Error()}
}
