package message_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

func TestCHG07_ARepositoryIsOneRow(t *testing.T) {
	held := &message.Held{Code: message.HeldAutorun}
	got := message.PendingRows([]message.PendingChange{
		{Path: "a", Kind: "modified"},
		{Path: ".git/index", Kind: "modified", Unit: ".git"},
		{Path: "from", Kind: "deleted", To: "to"},
		{Path: ".git/hooks/x", Kind: "created", Unit: ".git", Held: held},
		{Path: "to", Kind: "created", From: "from"},
		{Path: "x.db", Kind: "modified", Unit: "x.db"},
	})
	want := []message.PendingRow{
		{PendingChange: message.PendingChange{Path: "a", Kind: "modified"}, Paths: []string{"a"}},
		{PendingChange: message.PendingChange{Path: ".git", Kind: "modified", Unit: ".git", Held: held}, Paths: []string{".git/index", ".git/hooks/x"}},
		{PendingChange: message.PendingChange{Path: "to", Kind: "created", From: "from"}, Paths: []string{"to", "from"}},
		{PendingChange: message.PendingChange{Path: "x.db", Kind: "modified", Unit: "x.db"}, Paths: []string{"x.db"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
