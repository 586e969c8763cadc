package message_test

import (
	"encoding/json"
	"testing"

	"fairlead/backend/message"
)

func TestEV10_GuardsSayWhatTheyMeasuredInWordsAndAsData(t *testing.T) {
	for _, test := range []struct {
		guard         message.Guard
		words, asJSON string
	}{
		{
			message.Guard{Kind: message.GuardDoomLoop, Data: message.GuardData{ToolName: "shell", Calls: 1, Times: 3}},
			"the same call of shell came 3 times in a row", `{"toolName":"shell","calls":1,"times":3}`,
		},
		{
			message.Guard{Kind: message.GuardDoomLoop, Data: message.GuardData{ToolName: "shell", Calls: 2, Times: 5}},
			"the same 2 calls, the last one of shell, came 5 times in a row", `{"toolName":"shell","calls":2,"times":5}`,
		},
		{
			message.Guard{Kind: message.GuardAllFailed, Data: message.GuardData{Rounds: 3}},
			"every call failed in 3 rounds in a row", `{"rounds":3}`,
		},
		{
			message.Guard{Kind: message.GuardBudget, Data: message.GuardData{Used: 1020, Most: 1000, Unit: message.BudgetTokens}},
			"1020 of 1000 tokens are used", `{"used":1020,"most":1000,"unit":"tokens"}`,
		},
		{
			message.Guard{Kind: message.GuardBudget, Data: message.GuardData{Used: 0.5, Most: 0.25, Unit: message.BudgetDollars}},
			"$0.5000 of $0.2500 are used", `{"used":0.5,"most":0.25,"unit":"usd"}`,
		},
		{
			message.Guard{Kind: message.GuardMaxSteps, Data: message.GuardData{MaxSteps: 50}},
			"step limit of 50 reached", `{"maxSteps":50}`,
		},
		{
			message.Guard{Kind: message.GuardRepeats, Data: message.GuardData{Bytes: 4096}},
			"the reply repeats the same words over and over, and was cut after 4096 bytes of them", `{"bytes":4096}`,
		},
	} {
		data, err := json.Marshal(test.guard.Data)
		if err != nil || test.guard.String() != test.words || string(data) != test.asJSON {
			t.Errorf("%q, %s, %v", test.guard, data, err)
		}
	}
}
