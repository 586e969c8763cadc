package change

import (
	"bytes"
	"slices"

	"fairlead/backend/leftover"
)

// HasHunks reports whether hunks can be left out of a change of the layer: all that it does is
// that a text becomes another one.
func (p *Pending) HasHunks(index int) bool {
	return p.merged[p.Changes[index].Path] == nil && p.isTextChange(index)
}

// isTextChange reports whether all that a change does is that a file becomes another one.
func (p *Pending) isTextChange(index int) bool {
	c := p.Changes[index]
	return c.Op == Modify && c.Before.Kind == File && c.After.Kind == File && c.From == "" && c.To == "" && c.Same == "" &&
		UnitOf(c.Path) == "" && c.keepsRest()
}

// LeaveOut has ApplyLayer leave hunks out of a change, those that the headers name. It reports
// whether anything is left of the change, and fails with ErrNoHunks.
func (r *Recorder) LeaveOut(p *Pending, index int, headers []string) (left bool, err error) {
	before, after, ok, err := r.PendingTexts(p, index)
	if err != nil {
		return false, err
	}
	if !ok || !p.HasHunks(index) {
		return false, ErrNoHunks
	}
	hunks := Hunks(before, after)
	for _, header := range headers {
		if !slices.ContainsFunc(hunks, func(h Hunk) bool { return h.Header == header }) {
			return false, ErrNoHunks
		}
	}
	if p.without == nil {
		p.without = map[leftover.Path][]string{}
	}
	p.without[p.Changes[index].Path] = headers
	return !bytes.Equal(WithoutHunks(before, after, headers), before), nil
}

// addText adds a change of the layer to a text that becomes another one than the layer has: without
// hunks, or together with what somebody else did.
func (w *work) addText(p *Pending, c Change) error {
	before, after, err := w.texts(&c)
	if err != nil || before == nil || after == nil {
		return err
	}
	content := p.merged[c.Path]
	if content == nil {
		content = WithoutHunks(before, after, p.without[c.Path])
	}
	if bytes.Equal(content, before) {
		return nil
	}
	_, c.Added, c.Removed = UnifiedDiff(string(c.Path), string(c.Path), before, content)
	c.After = State{Kind: File, Size: int64(len(content)), Sum: SumOf(content), Mode: c.After.Mode}
	w.add(c, source{content: content})
	return nil
}
