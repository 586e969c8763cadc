package file

import (
	"strings"

	"fairlead/backend/workspace"
)

// A model that writes back what it was shown would put marks where secrets were: the
// file would lose them. A file can have the text of a mark, too, which is not refused.

// checkMarks refuses a new text with more marks of hidden secrets than the old one has.
func checkMarks(text, old string) error {
	if count := workspace.Marks(text); count == 0 || count <= workspace.Marks(old) {
		return nil
	}
	return invalidArguments("the text holds a mark that stands for a hidden secret, which would be lost: nothing was written. " +
		"Change the text around it with edit_file, or ask the user to write the secret")
}

// checkMarks refuses an edit of text that is a mark only as it was shown.
func (e edit) checkMarks(text string) error {
	if workspace.Marks(e.Old) == 0 || strings.Contains(text, e.Old) {
		return nil
	}
	return invalidArguments("old holds a mark that stands for a hidden secret, which is not the text of the file. " +
		"Replace only text around it, or ask the user to change the secret")
}
