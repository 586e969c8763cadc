package message

// NoCopyCode is why commands cannot work on a copy of the folder (SPEC PRE-08). The list is
// closed.
type NoCopyCode string

// The reasons.
const (
	// NoCopyLevel is that commands are not fully confined here.
	NoCopyLevel NoCopyCode = "level"
	// NoCopyMount is another file system that is mounted in the folder, or a subvolume, at Path.
	NoCopyMount NoCopyCode = "mount"
	// NoCopyOwner is a file of another user or group in the folder, at Path: only its owner
	// could change it.
	NoCopyOwner NoCopyCode = "owner"
	// NoCopySystem is that the system refused it: Detail says how.
	NoCopySystem NoCopyCode = "system"
	// NoCopyFailed is that the folder could not be looked at: Detail says why.
	NoCopyFailed NoCopyCode = "failed"
)

// NoCopy is why commands cannot work on a copy of the folder.
type NoCopy struct {
	Code NoCopyCode `json:"code"`
	// Path is where the reason lies: of a file relative to the folder, of what is mounted
	// or a subvolume absolute.
	Path string `json:"path,omitempty"`
	// Detail is what the system said, in English.
	Detail string `json:"detail,omitempty"`
}

// String is the reason in English, without a full stop.
func (n NoCopy) String() string {
	switch n.Code {
	case NoCopyLevel:
		return "commands are not fully confined here"
	case NoCopyMount:
		return "another file system or subvolume lies at " + n.Path
	case NoCopyOwner:
		return n.Path + " belongs to another user or group"
	case NoCopySystem:
		return "the system refuses it: " + n.Detail
	case NoCopyFailed:
		return "the folder could not be looked at: " + n.Detail
	}
	return string(n.Code)
}
