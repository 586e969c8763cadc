package desktop

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// typist types at some times, counted from the beginning.
type typist struct {
	began time.Time
	keys  []time.Duration
	opens chan time.Duration
}

func (p typist) Ask(context.Context, Dialog) (Press, error) {
	p.opens <- time.Since(p.began)
	return Yes, nil
}

func (p typist) LastKey() (last time.Time) {
	for _, key := range p.keys {
		if at := p.began.Add(key); !at.After(time.Now()) {
			last = at
		}
	}
	return last
}

func (typist) InFront() bool { return true }

func TestHITL02_ADialogWaitsUntilNobodyTypes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := typist{began: time.Now(), opens: make(chan time.Duration, 1)}
		for key := range 40 { // a key every 250 ms
			p.keys = append(p.keys, time.Duration(key)*250*time.Millisecond)
		}
		w := &Window{dialogs: p, asking: make(chan struct{}, 1), remembered: &remembered{}}
		if press, err := w.askNatively(t.Context(), Dialog{}); press != Yes || err != nil {
			t.Errorf("pressed %v, %v", press, err)
		}
		if at, want := <-p.opens, 39*250*time.Millisecond+quietTime; at != want {
			t.Errorf("the dialog opens after %v, want %v", at, want)
		}
		// One that nobody waits for any more does not open.
		p.began = time.Now()
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		w.dialogs = p
		if _, err := w.askNatively(ctx, Dialog{}); err == nil || len(p.opens) > 0 {
			t.Errorf("%v; %d dialogs opened", err, len(p.opens))
		}
	})
}
