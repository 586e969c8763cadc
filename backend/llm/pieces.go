package llm

// Pieces are what came so far of an answer that was cut at the model's length limit and is
// gone on with (SPEC LOOP-15).
type Pieces struct {
	// Text is that of all pieces, joined.
	Text string
	// Parts are the ids of the parts of the history that hold it, in order.
	Parts []string
}

// Add adds the text of a part. One without text is no piece.
func (p *Pieces) Add(text, part string) {
	if text != "" {
		p.Text += text
		p.Parts = append(p.Parts, part)
	}
}
