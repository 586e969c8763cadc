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

func open(config protocol.Config) (llm.Model, error) { return responses.New(config) }

func TestMSG07_AnswersOverResponses(t *testing.T) { protocoltest.Play(t, *update, open) }

func FuzzAnswer(f *testing.F) { protocoltest.Fuzz(f, open) }
