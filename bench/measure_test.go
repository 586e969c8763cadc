package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMiddle(t *testing.T) {
	got := medianFigures([]measured{
		{start: 9, step: 1, cpu: 5, peak: 30, connections: 1},
		{start: 2, step: 8, cpu: 6, peak: 10, connections: 3},
		{start: 3, step: 2, cpu: 7, peak: 20, connections: 1},
	})
	want := measured{start: 3, step: 2, cpu: 6, peak: 20, connections: 3}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(measured{})); diff != "" {
		t.Errorf("medians (-want +got):\n%s", diff)
	}
	if got := medianValue([]time.Duration{4, 1, 3, 2}); got != 2 {
		t.Errorf("median of four is %d, want the lower one in the middle", got)
	}
}

func TestEnvironment_LeavesOutWhatSteersAClient(t *testing.T) {
	for _, variable := range []string{"FAIRLEAD_MODEL", "https_proxy", "XDG_STATE_HOME"} {
		t.Setenv(variable, "steered")
	}
	got := cleanEnvironment("/home/of/bench")
	for _, variable := range got {
		if strings.HasSuffix(variable, "=steered") {
			t.Errorf("%s is left", variable)
		}
	}
	if !slices.Contains(got, "HOME=/home/of/bench") {
		t.Error("HOME is not the benchmark's own")
	}
}

func TestRun_ReportsAProgramThatFails(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	failing := program{name: "this test", path: path, arguments: func(string, scenario) []string { return []string{"-no-such-flag"} }}
	if _, _, err := failing.run(context.Background(), oneAnswer, t.TempDir()); err == nil {
		t.Error("a program that fails is not an error")
	}
}

func TestPrepare_WritesWhatTheScenariosRead(t *testing.T) {
	p, err := preparePlace(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []scenario{smallReads, longRun, longerRun} {
		for step := range s.steps {
			for _, c := range s.calls(step) {
				info, err := os.Stat(filepath.Join(p.workspace, c.arguments["path"]))
				if err != nil {
					t.Fatal(err)
				}
				if want := map[string]int64{smallReads.name: 6, longRun.name: 4096, longerRun.name: 1024}[s.name]; info.Size() != want {
					t.Errorf("%s has %d bytes, want %d", info.Name(), info.Size(), want)
				}
			}
		}
	}
}

func TestChoose_ReadsPartsByTheirNames(t *testing.T) {
	all, err := chooseParts("")
	if err != nil || !slices.Contains(all, "steps") || !slices.Contains(all, "window") {
		t.Errorf("without a list: %q, %v", all, err)
	}
	if some, err := chooseParts("steps,start"); err != nil || !slices.Equal(some, []string{"steps", "start"}) {
		t.Errorf("two parts: %q, %v", some, err)
	}
	if _, err := chooseParts("steps,nothing"); err == nil || !strings.Contains(err.Error(), `"nothing"`) {
		t.Errorf("a part that is none: %v", err)
	}
}
