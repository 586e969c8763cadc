package responses_test

import (
	"flag"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/protocol/protocoltest"
	"fairlead/backend/llm/responses"
)

var update = flag.Bool("update", false, "write what becomes of the answers into their files")

func TestMSG07_AnswersOverResponses(t *testing.T) {
	protocoltest.Play(t, *update, func(config protocol.Config) (llm.Model, error) { return responses.New(config) })
}
