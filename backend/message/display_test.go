package message_test

import (
	"encoding/json"
	"testing"

	"fairlead/backend/message"
)

func TestTOOL08_TheSubjectOfACallIsTheFirstArgumentThatIsAText(t *testing.T) {
	subject := message.Subject{Arguments: []string{"glob", "path"}, Kind: message.SubjectFolder}
	for _, test := range []struct{ arguments, want string }{
		{`{"glob":"*.go","path":"src"}`, "*.go"},
		{`{"path":" src "}`, " src "},
		{`{"glob":"","path":"src"}`, "src"},
		{`{"glob":7,"path":"src"}`, "src"},
		{`{"depth":2}`, ""},
		{`[]`, ""},
		{``, ""},
	} {
		if got := subject.Of(json.RawMessage(test.arguments)); got != test.want {
			t.Errorf("subject of %s = %q, want %q", test.arguments, got, test.want)
		}
	}
	if got := (message.Subject{}).Of(json.RawMessage(`{"path":"a"}`)); got != "" {
		t.Errorf("a call about nothing is about %q", got)
	}
}
