package window

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseStat(t *testing.T) {
	const rest = " S 7 11 11 0 -1 4194560 100 0 0 0 250 50 9 9 20 0 1 0 300 400 500"
	got, err := parseStat("42 (a) name (b)" + rest)
	want := process{pid: 42, parent: 7, name: "a) name (b", cpu: 3 * time.Second}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(process{})); diff != "" || err != nil {
		t.Errorf("process (-want +got), error %v:\n%s", err, diff)
	}
	for _, broken := range []string{"", "42 a b", "42 (a) S 7", "x (a)" + rest, strings.Replace("42 (a)"+rest, "250", "many", 1)} {
		if _, err := parseStat(broken); err == nil {
			t.Errorf("%q is a process", broken)
		}
	}
}

func TestParsePSS(t *testing.T) {
	got, err := parsePSS("00400000-7ffe [rollup]\nRss:   900 kB\nPss:             300 kB\nPss_Dirty:   200 kB\n")
	if err != nil || got != 300*1024 {
		t.Errorf("%d, %v, want %d", got, err, 300*1024)
	}
	for _, broken := range []string{"", "Rss: 900 kB\n", "Pss: much kB\n"} {
		if _, err := parsePSS(broken); err == nil {
			t.Errorf("%q has a size", broken)
		}
	}
}

func TestFamily(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems have no /proc")
	}
	members, err := listFamily(os.Getppid())
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, p := range members {
		found = found || p.pid == os.Getpid()
	}
	if members[0].pid != os.Getppid() || !found {
		t.Errorf("the family of the process above this one is %+v, without this one", members)
	}
	if size, err := familyMemory(os.Getpid()); err != nil || size < 1<<20 {
		t.Errorf("this process takes %d bytes, %v", size, err)
	}
	if _, err := mainThread(os.Getpid()); err != nil {
		t.Error(err)
	}
	if _, err := pageProcess(os.Getpid()); err == nil {
		t.Error("this process has a page")
	}
	const none = 1 << 30
	if _, err := listFamily(none); err == nil {
		t.Error("a process that does not exist has a family")
	}
}
