package message

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// BlockType is what a block holds.
type BlockType string

// The types of block. A type that is none of these was written by another program or
// another version: it is kept, and shown as a mark.
const (
	TextBlock     BlockType = "text"
	ImageBlock    BlockType = "image"
	FileBlock     BlockType = "file"
	ResourceBlock BlockType = "resource"
)

// Block is one piece of content: a text, or something that is not text.
type Block struct {
	// Type decides which of the fields below are set.
	Type BlockType `json:"type"`
	// Text is the text of a text block, and that of a resource which is text.
	Text string `json:"text,omitempty"`
	// MediaType is the type of Data or Text as in RFC 2046, "image/png" for one; empty
	// where nobody knows.
	MediaType string `json:"mediaType,omitempty"`
	// Data are the bytes of an image, a file or a resource. They are never written to.
	Data []byte `json:"data,omitempty"`
	// Path is where the block was read from, relative to the workspace, with slashes.
	Path string `json:"path,omitempty"`
	// URI names a resource.
	URI string `json:"uri,omitempty"`
	// Name is what the block is called where it is shown.
	Name string `json:"name,omitempty"`
	// Size is how many bytes Data has, and Sum their SHA-256 in hex, where Data was left in
	// the store; both are empty where it was not.
	Size int    `json:"size,omitempty"`
	Sum  string `json:"sum,omitempty"`
	// Pruned says that a model which was shown the picture is shown a mark in its place from
	// now on, to save space.
	Pruned bool `json:"pruned,omitempty"`
}

// Content is what a tool returned, or what a message says: blocks, in order.
type Content []Block

// Text is content that is one text; an empty text is no content.
func Text(text string) Content {
	if text == "" {
		return nil
	}
	return Content{{Type: TextBlock, Text: text}}
}

// Text is the content as a model reads it that is given text alone: the texts, and in the
// place of each other block a mark, which the text of a resource follows. Each begins on
// a line of its own.
func (c Content) Text() string {
	if len(c) == 1 && c[0].Type == TextBlock {
		return c[0].Text // the usual content is not copied
	}
	var text strings.Builder
	for i := range c {
		if c[i].Type != TextBlock {
			beginLine(&text)
			text.WriteString(c[i].Mark())
		}
		if c[i].Text != "" {
			beginLine(&text)
			text.WriteString(c[i].Text)
		}
	}
	return text.String()
}

func beginLine(text *strings.Builder) {
	if s := text.String(); s != "" && !strings.HasSuffix(s, "\n") {
		text.WriteByte('\n')
	}
}

// After is the content after a line of text.
func (c Content) After(line string) Content {
	if len(c) == 0 || c[0].Type != TextBlock {
		return append(Text(line), c...)
	}
	c = slices.Clone(c)
	c[0].Text = line + "\n" + c[0].Text
	return c
}

// Map is the content with another text in the place of each of its own, names included.
func (c Content) Map(do func(string) string) Content {
	c = slices.Clone(c)
	for i := range c {
		for _, text := range []*string{&c[i].Text, &c[i].MediaType, &c[i].Path, &c[i].URI, &c[i].Name} {
			if *text != "" {
				*text = do(*text)
			}
		}
	}
	return c
}

// Redact is the content without what redact takes out of its texts and bytes.
func (c Content) Redact(redact func(string) string) Content {
	c = c.Map(redact)
	for i := range c {
		if c[i].Data != nil {
			c[i].Data = []byte(redact(string(c[i].Data)))
		}
	}
	return c
}

// MapBlocks returns the part with what do makes of each of its blocks that is not text. It
// is the part itself where there are none. An error of do ends it.
func (p Part) MapBlocks(do func(Block) (Block, error)) (Part, error) {
	if p.Block != nil {
		block, err := do(*p.Block)
		if err != nil {
			return p, err
		}
		p.Block = &block
	}
	if p.Tool == nil || p.Tool.State.Output == nil || !slices.ContainsFunc(p.Tool.State.Output.Content, Block.isOther) {
		return p, nil
	}
	use, output := *p.Tool, *p.Tool.State.Output
	output.Content = slices.Clone(output.Content)
	for i, block := range output.Content {
		if !block.isOther() {
			continue
		}
		var err error
		if output.Content[i], err = do(block); err != nil {
			return p, err
		}
	}
	use.State.Output, p.Tool = &output, &use
	return p, nil
}

// AsPart is what a part of a message has that holds the block and nothing else.
func (b Block) AsPart() (kind PartType, text string, block *Block) {
	switch b.Type {
	case TextBlock:
		return TextPart, b.Text, nil
	case ImageBlock:
		return ImagePart, "", &b
	}
	return FilePart, "", &b
}

func (b Block) isOther() bool { return b.Type != TextBlock }

// countBytes is how many bytes the texts of the content have.
func (c Content) countBytes() int {
	n := 0
	for i := range c {
		n += len(c[i].Text)
	}
	return n
}

// Mark is one line that stands for a block where it cannot be shown: what it is, its name,
// its type and its size, or that it was shown before.
func (b Block) Mark() string {
	if b.Pruned {
		return fmt.Sprintf("[%s: %s, shown before]", Inline(string(b.Type)), Inline(cmp.Or(b.blockLabel(), b.MediaType)))
	}
	var of []string
	for _, word := range []string{b.blockLabel(), b.MediaType} {
		if word != "" {
			of = append(of, Inline(word))
		}
	}
	if n := b.Bytes(); n > 0 {
		of = append(of, fmt.Sprintf("%d bytes", n))
	}
	if len(of) == 0 {
		return fmt.Sprintf("[%s]", Inline(string(b.Type)))
	}
	return fmt.Sprintf("[%s: %s]", Inline(string(b.Type)), strings.Join(of, ", "))
}

// blockLabel is what a block is called: its name, or else where it is.
func (b Block) blockLabel() string {
	for _, name := range []string{b.Name, b.Path, b.URI} {
		if name != "" {
			return name
		}
	}
	return ""
}

// Bytes is how many bytes a block has, whether they are in it or in the store.
func (b Block) Bytes() int { return len(b.Text) + max(b.Size, len(b.Data)) }

// WithoutData is a block without its bytes: Size and Sum tell of them.
func (b Block) WithoutData() Block {
	if b.Data != nil {
		b.Size, b.Sum, b.Data = len(b.Data), Sum(b.Data), nil
	}
	return b
}

// Sum is the SHA-256 of the bytes of a block, in hex.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
