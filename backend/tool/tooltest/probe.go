package tooltest

import (
	"strings"
	"testing"
)

// testProbe makes the call and compares its outcome with the expected one.
func (c Case) testProbe(t *testing.T, p Probe) {
	if p.Arguments == "" {
		t.Fatal("the case has no such probe: say how the tool handles this text")
	}
	result := c.callTool(t.Context(), t, p.Arguments)
	if !strings.Contains(result.Text(), p.Want) {
		t.Errorf("call(%s) = %.500q, want it to contain %q", p.Arguments, result.Text(), p.Want)
	}
	if p.After != nil {
		p.After(t)
	}
}
