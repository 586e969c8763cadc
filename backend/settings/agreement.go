package settings

import "slices"

// maxAgreements is how many decisions about what folders suggest are remembered.
const maxAgreements = 1000

// Agreement is what the user decided about something that a folder suggests, such as a file with
// instructions for models (SPEC MSG-10).
type Agreement struct {
	// Workspace is the folder.
	Workspace string `json:"workspace"`
	// Kind is what is suggested, and Path where it lies in the folder, with slashes.
	Kind string `json:"kind"`
	Path string `json:"path"`
	// SHA256 is that of what was shown, in hexadecimal.
	SHA256 string `json:"sha256"`
	// Use reports whether it is used.
	Use bool `json:"use"`
}

// about reports whether two agreements are about the same thing, as it may have changed.
func (a Agreement) about(b Agreement) bool {
	return a.Workspace == b.Workspace && a.Kind == b.Kind && a.Path == b.Path
}

// Agreed returns what was decided about something that a folder suggests; a.Use does not count.
// decided is false where nobody was asked about it, or it has another SHA-256 by now: an agreement
// to one text is none to the next.
func (s State) Agreed(a Agreement) (use, decided bool) {
	i := slices.IndexFunc(s.Agreements, a.about)
	if i < 0 || s.Agreements[i].SHA256 != a.SHA256 {
		return false, false
	}
	return s.Agreements[i].Use, true
}

// Agree notes what was decided, in place of an earlier decision about the same thing.
func (s *State) Agree(decided Agreement) {
	agreements := slices.DeleteFunc(slices.Clone(s.Agreements), decided.about)
	agreements = slices.Insert(agreements, 0, decided)
	s.Agreements = agreements[:min(len(agreements), maxAgreements)]
}
