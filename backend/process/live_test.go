package process

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
)

func TestLiveKeepsTheNewestText(t *testing.T) {
	var got []string
	l := newLive(func(text string) { got = append(got, text) })
	l.flush()
	l.add([]byte(strings.Repeat("目", liveLimit)))
	l.add([]byte("end"))
	l.flush()
	l.flush()
	if len(got) != 1 || len(got[0]) > liveLimit || len(got[0]) < liveLimit-4 || !strings.HasSuffix(got[0], "目end") || !utf8.ValidString(got[0]) {
		t.Errorf("%d calls, the first with %d bytes", len(got), len(got[0]))
	}
}

func TestLiveWaitsBetweenCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLive(func(string) {})
		if wait := l.wait(); wait > 0 {
			t.Errorf("the first text waits %v", wait)
		}
		l.add([]byte("a"))
		l.flush()
		<-time.After(20 * time.Millisecond)
		if wait := l.wait(); wait != liveInterval-20*time.Millisecond {
			t.Errorf("the next text waits %v", wait)
		}
	})
}
