package event

import "fairlead/backend/message"

// Block is a block of content that is not text, in an event.
type Block struct {
	Type      message.BlockType `json:"type"`
	MediaType string            `json:"mediaType,omitempty"`
	Name      string            `json:"name,omitempty"`
	Path      string            `json:"path,omitempty"`
	URI       string            `json:"uri,omitempty"`
	// Size is how many bytes Text or Data has.
	Size int `json:"size"`
	// Text is what a resource holds that is text, and Data what any other block does.
	Text string `json:"text,omitempty"`
	Data []byte `json:"data,omitempty" ts_type:"string"`
	// Sum names Data in the store, where it was left there.
	Sum string `json:"sum,omitempty"`
	// Ref is the address of Text or Data for the window's page, which gets neither.
	Ref string `json:"ref,omitempty"`
}

// BlocksOf returns the blocks of content that are not text, as an event has them; nil for
// none.
func BlocksOf(content message.Content) []Block {
	var blocks []Block
	for _, b := range content {
		if b.Type != message.TextBlock {
			blocks = append(blocks, Block{
				Type: b.Type, MediaType: b.MediaType, Name: b.Name, Path: b.Path, URI: b.URI,
				Size: b.Bytes(), Text: b.Text, Data: b.Data, Sum: b.Sum,
			})
		}
	}
	return blocks
}

// Mark is a line that stands for the block where it cannot be shown.
func (b Block) Mark() string {
	return message.Block{Type: b.Type, MediaType: b.MediaType, Name: b.Name, Path: b.Path, URI: b.URI, Size: b.Size}.Mark()
}

// MapBlocks returns a payload with what do makes of each of its blocks. It is the payload
// itself where that has none. An error of do ends it.
func MapBlocks(data Data, do func(at int, b Block) (Block, error)) (Data, error) {
	var blocks []Block
	switch d := data.(type) {
	case LifecycleStart:
		blocks = d.Blocks
	case ToolResult:
		blocks = d.Blocks
	case PromptJoined:
		blocks = d.Blocks
	}
	if len(blocks) == 0 {
		return data, nil
	}
	mapped := make([]Block, len(blocks))
	for i, b := range blocks {
		var err error
		if mapped[i], err = do(i, b); err != nil {
			return nil, err
		}
	}
	switch d := data.(type) {
	case LifecycleStart:
		d.Blocks = mapped
		return d, nil
	case ToolResult:
		d.Blocks = mapped
		return d, nil
	case PromptJoined:
		d.Blocks = mapped
		return d, nil
	}
	return data, nil
}
