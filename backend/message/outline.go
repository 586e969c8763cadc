package message

// Left are the bytes of a part's texts that were left in the store.
type Left struct {
	// Text are those of a text or of reasoning, Input those of a call's arguments and
	// Output those of its result.
	Text   int `json:"text,omitempty"`
	Input  int `json:"input,omitempty"`
	Output int `json:"output,omitempty"`
}

// longText is how long a text is that an outline leaves out, in bytes.
const longText = 1024

// Outline is a part without its long texts, which Left counts, and without the bytes of
// its blocks. What remains is what the loop has to know of every part: ids, whether a call
// has ended, the title and the notices of its output, and which files it changed. A part
// without either is its own outline.
func (p Part) Outline() Part {
	if p.Left != nil {
		return p
	}
	p, _ = p.WithoutData()
	var left Left
	if n := len(p.Text) + len(p.Details); n > longText {
		left.Text, p.Text, p.Details = n, "", nil
	}
	if p.Tool != nil {
		use := *p.Tool
		if n := len(use.State.Input) + len(use.Extra); n > longText {
			left.Input, use.State.Input, use.Extra = n, []byte("{}"), nil
		}
		if use.State.Output != nil {
			left.Output, use.State.Output = use.State.Output.outlineOf()
		}
		p.Tool = &use
	}
	if left != (Left{}) {
		p.Left = &left
	}
	return p
}

// WithoutData is a part without the bytes of its blocks; had reports whether there were any.
func (p Part) WithoutData() (bare Part, had bool) {
	bare, _ = p.MapBlocks(func(b Block) (Block, error) { // which never fails
		had = had || b.Data != nil
		return b.WithoutData(), nil
	})
	return bare, had
}

// outlineOf is a result without its long texts, and how many bytes they have.
func (r *Result) outlineOf() (left int, short *Result) {
	n := r.Content.countBytes()
	if r.Error != nil {
		n += len(r.Error.Message)
	}
	if n <= longText {
		return 0, r
	}
	cut := *r
	cut.Content = nil
	if r.Error != nil {
		cut.Error = &ToolError{Code: r.Error.Code}
	}
	return n, &cut
}

// Lacks reports whether texts that the model is shown of the part were left in the store.
func (p *Part) Lacks() bool {
	switch {
	case p.Left == nil:
		return false
	case p.Tool != nil && p.Tool.State.Pruned:
		return p.Left.Input > 0
	}
	return true
}

// Tokens are how many tokens a part takes.
type Tokens struct {
	// Part are those of a text, or of a call without its output, which Output counts.
	Part, Output int
}
