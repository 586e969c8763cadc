package anthropic_test

import (
	"flag"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/anthropic"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/protocol/protocoltest"
)

var update = flag.Bool("update", false, "write what becomes of the answers into their files")

func open(config protocol.Config) (llm.Model, error) { return anthropic.New(config) }

func TestMSG07_AnswersOverMessages(t *testing.T) { protocoltest.Play(t, *update, open) }

func FuzzAnswer(f *testing.F) { protocoltest.Fuzz(f, open) }
