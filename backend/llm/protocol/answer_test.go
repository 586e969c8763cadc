package protocol

import (
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// newAnswer is an empty answer to a request with the tool list, of a model that writes calls
// as Qwen does.
func newAnswer() *Answer {
	tools := []llm.Tool{{Name: "list"}}
	return &Answer{Reply: NewReply(tools, llm.Dialect{Marks: llm.MarkToolCall}, func(llm.Delta) {})}
}

const callInText = `<tool_call>{"name":"list","arguments":{}}</tool_call>`

func TestLOOP03_ACallInATextThatWasCutDoesNotRun(t *testing.T) {
	for finish, whole := range map[wire.Finish]bool{
		wire.FinishWhole: true, wire.FinishNone: false, wire.FinishLength: false, wire.FinishFilter: false, wire.FinishUnknown: false,
	} {
		answer := newAnswer()
		if err := answer.AddContent("I look. " + callInText); err != nil {
			t.Fatal(err)
		}
		reply, ok, _ := answer.Finish(finish, "reason", nil)
		if ok != whole || (len(reply.Calls) == 1) != whole {
			t.Errorf("%v: whole %v, calls %v", finish, ok, reply.Calls)
		}
		if !whole && reply.Text != "I look. "+callInText {
			t.Errorf("%v: %q", finish, reply.Text)
		}
	}
}

func TestMSG04_ACallMeansTheToolOnOffer(t *testing.T) {
	for name, want := range map[string]string{
		"list": "list", "functions.list": "list", "functions.list:0": "list", "list<|channel|>commentary": "list", "other": "other",
	} {
		reply, whole, err := newAnswer().Finish(wire.FinishWhole, "", []message.Call{NewCall("c1", name, "{}", true)})
		if err != nil || !whole || len(reply.Calls) != 1 || reply.Calls[0].Name != want {
			t.Errorf("%s: %v %v %v", name, reply.Calls, whole, err)
		}
	}
}

func TestLOOP03_CallsThatCameAsSuchAreTheOnlyOnes(t *testing.T) {
	answer := newAnswer()
	if err := answer.AddContent(callInText); err != nil {
		t.Fatal(err)
	}
	reply, whole, err := answer.Finish(wire.FinishWhole, "", []message.Call{NewCall("c1", "list", "{}", true)})
	if err != nil || !whole || len(reply.Calls) != 1 || reply.Calls[0].ID != "c1" || reply.Text != callInText {
		t.Errorf("%+v %v %v", reply, whole, err)
	}
}
