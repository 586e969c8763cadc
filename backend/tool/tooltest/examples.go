package tooltest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// Examples are cases of tools of a notebook, one of each shape that a tool can have: one
// that reads, one that writes, and one whose changes are asked about afterwards.
func Examples(n *Notebook) []Case {
	return []Case{
		readExample(n),
		writeExample(n),
		draftExample(n),
	}
}

// Notebook is a page of text in memory, which the examples read and write. The zero
// Notebook is empty.
type Notebook struct {
	mu   sync.Mutex
	page string
}

// Page returns the text of the page.
func (n *Notebook) Page() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.page
}

// Write replaces the text of the page.
func (n *Notebook) Write(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.page = text
}

// replace replaces a page that has the text old, and reports false where it has another.
func (n *Notebook) replace(old, text string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.page != old {
		return false
	}
	n.page = text
	return true
}

// pageName is the path under which the page is shown.
const pageName = "page.txt"

// textArguments are those of the examples that write.
type textArguments struct {
	Text string `json:"text"`
}

// readText reads the arguments of the examples that write.
func readText(in tool.Input) (string, error) {
	arguments, err := tool.Arguments[textArguments](in.Arguments)
	if err == nil && arguments.Text == "" {
		err = &message.ToolError{Code: message.InvalidArguments, Message: "text is empty"}
	}
	return arguments.Text, err
}

// previewOf shows the replacement of the page.
func previewOf(old, text string) message.Preview {
	removed, added := strings.Count(old, "\n"), strings.Count(text, "\n")
	diff := fmt.Sprintf("--- a/%s\n+++ b/%s\n@@ -1,%d +1,%d @@\n", pageName, pageName, removed, added)
	for _, side := range []struct{ sign, text string }{{"-", old}, {"+", text}} {
		for line := range strings.Lines(side.text) {
			diff += side.sign + strings.TrimSuffix(line, "\n") + "\n"
		}
	}
	sum := sha256.Sum256([]byte(old + "\x00" + text))
	return message.Preview{
		Effect: message.EffectFiles, Path: pageName, Diff: diff, Added: added, Removed: removed, Fingerprint: hex.EncodeToString(sum[:]),
	}
}

// changed is the result of a call that replaced the page.
func changed(preview message.Preview) message.Result {
	return message.Result{Changes: []message.Change{{Path: pageName, Kind: "modified", Added: preview.Added, Removed: preview.Removed}}}
}

// errStale is the failure of a call whose page has changed meanwhile.
var errStale = &message.ToolError{Code: message.StaleFile, Message: "the page changed after the change was worked out"}
