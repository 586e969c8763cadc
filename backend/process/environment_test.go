package process

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnvironmentKeepsAllowedNames(t *testing.T) {
	in := []string{"Path=a", "PATH=b", "LC_ALL=C", "systemroot=c", "=C:=d", "OPENAI_API_KEY=e", "PATHS=f", "HOME", "appdata=g", "TERM=xterm"}
	if diff := cmp.Diff([]string{"PATH=b", "LC_ALL=C", "HOME"}, permittedVariables(in, false)); diff != "" {
		t.Errorf("Unix: %s", diff)
	}
	if diff := cmp.Diff([]string{"Path=a", "PATH=b", "LC_ALL=C", "systemroot=c", "HOME", "appdata=g"}, permittedVariables(in, true)); diff != "" {
		t.Errorf("Windows: %s", diff)
	}
}
