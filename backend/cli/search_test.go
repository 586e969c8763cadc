package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// search is what a search writes, and what it says beside that.
func (p *place) search(args ...string) (out, trouble string) {
	p.t.Helper()
	return p.output(append([]string{"search"}, args...)...)
}

func TestFIND01_ConversationsAreSearched(t *testing.T) {
	p := newPlace(t, `call c1 write_file {"path":"notes/租赁合同.txt","content":"unsearched"}
---
text The contract is written.`)
	p.start("--approve", "all").ends(0)
	for text, want := range map[string]string{
		"CONTRACT": "assistant: The contract is written.",
		"租赁":       "write_file: write_file Write a file notes/租赁合同.txt",
	} {
		out, trouble := p.search(text)
		if !strings.Contains(out, want) || trouble != "" {
			t.Errorf("%q: %s%s, want %q", text, out, trouble, want)
		}
	}
	if out, trouble := p.search("unsearched"); out != "" || !strings.Contains(trouble, "Nothing was found.") {
		t.Errorf("what was written into a file: %s%s", out, trouble)
	}
	if out, _ := p.search("contract", "--workspace", p.root); out != "" {
		t.Errorf("in another folder: %s", out)
	}
	var found struct {
		Titles   []struct{ ID string }
		Passages []struct{ SessionID, Workspace, Match, Before string }
		More     bool
	}
	out, _ := p.search("written", "--json", "--limit", "1", "--rebuild")
	if err := json.Unmarshal([]byte(out), &found); err != nil || len(found.Passages) != 1 || found.Passages[0].Before != "The contract is " || found.More {
		t.Errorf("%v: %s", err, out)
	}
	// An index that cannot be made is said, and all is found.
	index := filepath.Join(p.root, "xdg", "data", "fairlead", "search.db")
	p.must(os.Remove(index))
	p.must(os.MkdirAll(filepath.Join(index, "x"), 0o700))
	if out, trouble := p.search("contract"); !strings.Contains(out, "is written.") || !strings.Contains(trouble, "The search index cannot be used, so the search takes longer") {
		t.Errorf("without an index: %s%s", out, trouble)
	}
	for _, args := range [][]string{{"x"}, {}, {"word", "--limit", "0"}} {
		cmd := p.command(append([]string{"search"}, args...)...)
		if text, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != 2 {
			t.Errorf("search %v: %v, %s", args, err, text)
		}
	}
}
