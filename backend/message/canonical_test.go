package message_test

import (
	"encoding/json"
	"testing"

	"fairlead/backend/message"
)

func TestDOOM01_CallsThatMeanTheSameHaveOneForm(t *testing.T) {
	for name, test := range map[string]struct {
		one, other string
		same       bool
	}{
		"order of keys":         {`{"a":1,"b":{"c":2,"d":3}}`, `{"b":{"d":3,"c":2},"a":1}`, true},
		"white space":           {`{"a": [1, 2]}`, "{\n\"a\":[1,2]\n}", true},
		"escapes":               {`{"a":"\u00e9\/"}`, `{"a":"é/"}`, true},
		"form of numbers":       {`{"a":1}`, `{"a":1.0}`, true},
		"exponents":             {`{"a":1200}`, `{"a":1.2e3}`, true},
		"negative zero":         {`{"a":0}`, `{"a":-0.0}`, true},
		"beyond doubles":        {`{"a":9007199254740993}`, `{"a":9007199254740992}`, false},
		"text and number":       {`{"a":1}`, `{"a":"1"}`, false},
		"order of a list":       {`{"a":[1,2]}`, `{"a":[2,1]}`, false},
		"null and absent":       {`{"a":null}`, `{}`, false},
		"huge exponents, equal": {`{"a":1e99999999}`, `{"a":1e99999999}`, true},
		"huge exponents":        {`{"a":1e99999999}`, `{"a":1e99999998}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			one := message.Call{Name: "x", Arguments: json.RawMessage(test.one)}.Canonical()
			other := message.Call{Name: "x", Arguments: json.RawMessage(test.other)}.Canonical()
			if (one == other) != test.same {
				t.Errorf("%q and %q: same is %v, want %v", one, other, one == other, test.same)
			}
		})
	}
}

func TestDOOM01_ToolsAndMalformedArgumentsStandForThemselves(t *testing.T) {
	forms := map[string]bool{}
	for _, call := range []message.Call{
		{Name: "x", Arguments: json.RawMessage(`{}`)},
		{Name: "y", Arguments: json.RawMessage(`{}`)},
		{Name: "x", Raw: `{"a":`},
		{Name: "x", Raw: `{"a":1} {"a":1}`},
		{Name: "x", Raw: ``},
	} {
		forms[call.Canonical()] = true
	}
	if len(forms) != 5 {
		t.Errorf("%d forms, want 5: %v", len(forms), forms)
	}
}

// FuzzCanonical looks for arguments whose form depends on how they were written:
// what is decoded and written anew must have the form it had.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":[1,-0.0,1e5,"x",null,true]}`, `{"b":{"a":1},"a":1e400}`, `[1`, `{"a":1}x`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, arguments []byte) {
		form := message.Call{Name: "x", Arguments: arguments}.Canonical()
		var value map[string]json.RawMessage
		if json.Unmarshal(arguments, &value) != nil || value == nil {
			return
		}
		again, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if other := (message.Call{Name: "x", Arguments: again}).Canonical(); other != form {
			t.Errorf("%q has the form %q, written anew %q", arguments, form, other)
		}
	})
}
