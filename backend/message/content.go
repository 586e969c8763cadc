package message

import (
	"encoding/json"
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
// place of each other block a mark. Each begins on a line of its own.
func (c Content) Text() string {
	if len(c) == 1 && c[0].Type == TextBlock {
		return c[0].Text // the usual content is not copied
	}
	var text strings.Builder
	for i := range c {
		if s := text.String(); s != "" && !strings.HasSuffix(s, "\n") {
			text.WriteByte('\n')
		}
		if c[i].Type == TextBlock {
			text.WriteString(c[i].Text)
		} else {
			text.WriteString(c[i].Mark())
		}
	}
	return text.String()
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

// size is how many bytes the content has.
func (c Content) size() int {
	n := 0
	for i := range c {
		n += len(c[i].Text) + len(c[i].Data)
	}
	return n
}

// UnmarshalJSON implements json.Unmarshaler. It reads a list of blocks, and a string,
// which is what a result had before there were blocks.
func (c *Content) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		var only string
		if err := json.Unmarshal(text, &only); err != nil {
			return err
		}
		*c = Text(only)
		return nil
	}
	return json.Unmarshal(text, (*[]Block)(c))
}

// Mark is a line that stands for a block where it cannot be shown: what it is, its name,
// its type and its size.
func (b Block) Mark() string {
	var of []string
	for _, word := range []string{b.label(), b.MediaType} {
		if word != "" {
			of = append(of, word)
		}
	}
	if n := len(b.Text) + len(b.Data); n > 0 {
		of = append(of, fmt.Sprintf("%d bytes", n))
	}
	if len(of) == 0 {
		return fmt.Sprintf("[%s]", b.Type)
	}
	return fmt.Sprintf("[%s: %s]", b.Type, strings.Join(of, ", "))
}

// label is what a block is called: its name, or else where it is.
func (b Block) label() string {
	for _, name := range []string{b.Name, b.Path, b.URI} {
		if name != "" {
			return name
		}
	}
	return ""
}
