package file

import (
	"sync"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/tool/document"
)

// Known is which files the model of a conversation knows, and in which state: an edit
// needs to be of what it knows. A host that makes the tools of a conversation anew
// lends the conversation's Known to them (tool.Options.Objects, as *Known); tools that
// are lent none have one of their own. The zero Known knows nothing.
type Known struct {
	mu sync.Mutex
	// files holds, by path, the fingerprint of each file when the model last read or
	// wrote it.
	files map[string]string
}

// rememberFile notes that the model knows a file's content.
func (k *Known) rememberFile(path, fingerprint string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.files == nil {
		k.files = map[string]string{}
	}
	k.files[path] = fingerprint
}

// moveFile notes that a file has another path. The model knows it as well as before.
func (k *Known) moveFile(from, to string, content []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if known, ok := k.files[from]; ok && known == fingerprintOf(from, content) {
		k.files[to] = fingerprintOf(to, content)
	}
	delete(k.files, from)
}

// requireRead refuses a file that the model has not read, or not as it is now.
func (k *Known) requireRead(path, fingerprint string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch k.files[path] {
	case fingerprint:
		return nil
	case "":
		with := "read it with read_file first"
		if document.IsSource(document.FormatOf(path, nil)) {
			with = "read it with read_file and source true first"
		}
		return &message.ToolError{Code: message.StaleFile, Message: path + " was not read in this session: " + with}
	default:
		return &message.ToolError{Code: message.StaleFile, Message: path + " changed since it was read: read it again"}
	}
}

// knownTo is what the model of a call's conversation knows.
func (s *session) knownTo(in tool.Input) *Known {
	if lent, ok := tool.Object[*Known](in); ok {
		return lent
	}
	return &s.own
}
