package message

// pictureTypes are the types of picture that providers take.
var pictureTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// IsPicture reports whether a model that sees is shown the block itself, whose bytes are in it
// or in the store.
func (b *Block) IsPicture() bool {
	return b.Type == ImageBlock && !b.Pruned && pictureTypes[b.MediaType] && (b.Data != nil || b.Sum != "")
}

// Pictures are the blocks of the part that a model which sees is shown themselves.
func (p *Part) Pictures() []Block {
	switch {
	case p.Block != nil && p.Block.IsPicture():
		return []Block{*p.Block}
	case p.Tool != nil && p.Tool.State.Output != nil && !p.Tool.State.Pruned:
		return p.Tool.State.Output.Content.pictures()
	}
	return nil
}

func (c Content) pictures() []Block {
	var pictures []Block
	for i := range c {
		if c[i].IsPicture() {
			pictures = append(pictures, c[i])
		}
	}
	return pictures
}

// MapPictures returns the part with what do makes of each of its Pictures. It is the part
// itself where there are none. An error of do ends it.
func (p Part) MapPictures(do func(Block) (Block, error)) (Part, error) {
	if len(p.Pictures()) == 0 {
		return p, nil
	}
	return p.MapBlocks(func(b Block) (Block, error) {
		if b.IsPicture() {
			return do(b)
		}
		return b, nil
	})
}

// Prune returns the part as a model is shown it to save space: a call with a title in place of its
// output, and a picture as a mark. The bytes stay in the store.
func (p Part) Prune() Part {
	if p.Tool != nil {
		use := *p.Tool
		use.State.Pruned = true
		p.Tool = &use
	}
	if p.Block != nil {
		block := p.Block.WithoutData()
		block.Pruned = true
		p.Block = &block
	}
	return p
}

// IsPruned reports whether Prune changed the part.
func (p *Part) IsPruned() bool {
	return p.Tool != nil && p.Tool.State.Pruned || p.Block != nil && p.Block.Pruned
}
