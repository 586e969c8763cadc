package main

import (
	"reflect"
	"strings"
	"testing"
)

func TestTheListIsRead(t *testing.T) {
	got, err := parse("# why\n\nchange TestA no links\nchange TestB/a_part  other  reason\n. TestC x\ndesktop - no view\n")
	if err != nil {
		t.Fatal(err)
	}
	if skip := skipped(got["change"]); skip != "^TestA$|^TestB$/^a_part$" {
		t.Errorf("skipped is %q", skip)
	}
	if skip := skipped(nil); skip != "" {
		t.Errorf("with nothing left out, skipped is %q", skip)
	}
	if got["change"][1].reason != "other reason" || len(got["."]) != 1 || !got["desktop"][0].whole() {
		t.Errorf("read %v", got)
	}
	for _, text := range []string{"change TestA", "change A why", "change TestA why\nchange TestA why"} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func TestTheOutputOfGoTestIsRead(t *testing.T) {
	const printed = `{"Action":"run","Test":"TestA"}
{"Action":"pass","Test":"TestA/part"}
{"Action":"pass","Test":"TestA"}
{"Action":"output","Test":"TestB","Output":"    b_test.go:7: has: no links\n"}
{"Action":"skip","Test":"TestB"}
{"Action":"output","Test":"TestH","Output":"    b_test.go:8: started by TestA\n"}
{"Action":"skip","Test":"TestH"}
{"Action":"output","Test":"TestU","Output":"    b_test.go:9: only with -update\n"}
{"Action":"skip","Test":"TestU"}
{"Action":"output","Test":"TestC/part","Output":"    c_test.go:9: wrong\n"}
{"Action":"fail","Test":"TestC/part"}
{"Action":"fail","Test":"TestC"}
{"Action":"output","Output":"FAIL\n"}
{"Action":"fail"}
`
	got, err := read(strings.NewReader(printed))
	if err != nil {
		t.Fatal(err)
	}
	want := result{
		passed: []string{"TestA"}, leftOut: []omission{{"TestB", "has: no links"}},
		fault: "1 tests failed", output: "    c_test.go:9: wrong\nFAIL\n",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, want %+v", got, want)
	}
	got, err = read(strings.NewReader(`{"Action":"build-output","Output":"x.go: broken"}` + "\n" + `{"Action":"fail"}`))
	if err != nil || got.fault != "the package failed" || got.output != "x.go: broken" {
		t.Errorf("a package that cannot be built is %+v, %v", got, err)
	}
}

func TestTooManyLeftOutIsAnError(t *testing.T) {
	passed := make([]string, 19)
	if err := verdict([]result{{passed: passed, leftOut: []omission{{"TestX", "why"}, {"TestY/part", "why"}}}}, true); err != nil {
		t.Error(err)
	}
	tooMany := []result{{passed: passed[:18], leftOut: []omission{{"TestX", "why"}, {"TestY/part", "why"}}}}
	if err := verdict(tooMany, true); err == nil {
		t.Error("one of nineteen is left out without an error")
	}
	if err := verdict(tooMany, false); err != nil {
		t.Errorf("of some packages only: %v", err)
	}
	if err := verdict([]result{{passed: passed, fault: "1 tests failed"}}, false); err == nil {
		t.Error("a failed test is no error")
	}
}
