package desktop_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/message"
)

func (s *stage) find(text, sessionID string) (found desktop.Found) {
	s.t.Helper()
	s.read("/fairlead/search?"+url.Values{"text": {text}, "session": {sessionID}}.Encode(), &found)
	return found
}

func TestFIND01_AllConversationsAreSearchedInTheWindow(t *testing.T) {
	s := open(t, `call c1 list_files {"path":"."}
---
text The orchard has apples.
---
text Pears as well.
`, nil)
	s.ready()
	first := s.run("Look for apples")
	s.awaitEnd(first.RunID)
	second := s.goOn("", "And 租赁 pears")
	s.awaitEnd(second.RunID)

	found := s.find("APPLES", "")
	if len(found.Titles) != 1 || found.Titles[0].ID != first.SessionID || found.Titles[0].Mark != string(message.ReasonCompleted) || found.More {
		t.Errorf("titles: %+v", found)
	}
	if len(found.Sessions) != 1 || found.Sessions[0].ID != first.SessionID || found.Sessions[0].Folder != nil {
		t.Errorf("conversations: %+v", found.Sessions)
	}
	if len(found.Passages) != 2 {
		t.Fatalf("passages: %+v", found.Passages)
	}
	answer, prompt := found.Passages[0], found.Passages[1]
	if answer.Role != message.Assistant || answer.Before != "The orchard has " || answer.Match != "apples" || answer.After != "." || answer.RunID != first.RunID || answer.At == 0 {
		t.Errorf("the answer: %+v", answer)
	}
	if prompt.Role != message.User || prompt.CallID != "" {
		t.Errorf("the task: %+v", prompt)
	}
	if found = s.find("list_files", ""); len(found.Passages) != 1 || found.Passages[0].CallID == "" || found.Passages[0].ToolName != "list_files" {
		t.Errorf("a call: %+v", found.Passages)
	}
	if found = s.find("租赁", ""); len(found.Passages) != 1 || found.Passages[0].SessionID != second.SessionID {
		t.Errorf("two characters: %+v", found.Passages)
	}
	if found = s.find("pears", first.SessionID); len(found.Passages) != 0 || len(found.Titles) != 0 {
		t.Errorf("in one conversation: %+v", found)
	}
	if answer := s.get("/fairlead/search?text=p"); answer.Code != http.StatusUnprocessableEntity || !strings.Contains(answer.Body.String(), "two characters") {
		t.Errorf("one character: %s", answer.Body)
	}

	other := filepath.Join(t.TempDir(), "other")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := service[*desktop.Folders](s).Open(other); err != nil {
		t.Fatal(err)
	}
	found = s.find("apples", "")
	if len(found.Titles) != 1 || found.Titles[0].Folder == nil || found.Sessions[0].Folder == nil {
		t.Errorf("from another folder: %+v", found)
	}
}

// TestFIND01_APlaceFarBackIsReachedAtOnce reads the runs up to the one that has it.
func TestFIND01_APlaceFarBackIsReachedAtOnce(t *testing.T) {
	const runs = 50
	s := open(t, strings.Repeat("text Done.\n---\n", runs-1)+"text Done.\n", nil)
	s.ready()
	id, all := "", []string{}
	for n := range runs {
		started := s.goOn(id, fmt.Sprintf("task %d.", n+1))
		s.awaitEnd(started.RunID)
		id, all = started.SessionID, append(all, started.RunID)
	}
	found := s.find("task 3.", id)
	if len(found.Passages) != 1 || found.Passages[0].RunID != all[2] {
		t.Fatalf("found: %+v", found)
	}
	shown := s.state().Runs
	var earlier desktop.RunList
	s.read("/fairlead/sessions/"+id+"/runs?before="+shown[0].RunID+"&from="+all[2], &earlier)
	if len(earlier.Runs) != runs-len(shown)-2 || !earlier.Earlier || earlier.Runs[0].RunID != all[2] {
		t.Errorf("%d runs from %s on, others %v", len(earlier.Runs), earlier.Runs[0].RunID, earlier.Earlier)
	}
	if answer := s.get("/fairlead/sessions/" + id + "/runs?before=" + shown[0].RunID + "&from=none"); answer.Code < http.StatusBadRequest {
		t.Errorf("from a run that is not there: %s", answer.Body)
	}
}
