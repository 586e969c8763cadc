package change

import (
	"slices"
	"testing"
	"time"
)

func TestPRE05_HowFarAnApplyIsIsToldOnceASecond(t *testing.T) {
	var told []int
	p := progress{tell: func(percent int) { told = append(told, percent) }, toldAt: time.Now(), all: 8}
	p.step()
	if len(told) > 0 {
		t.Errorf("told at once: %d", told)
	}
	p.toldAt = time.Now().Add(-2 * progressTime)
	p.step()
	p.step()
	if !slices.Equal(told, []int{25}) {
		t.Errorf("told %d", told)
	}
}
