package protocol

import (
	"encoding/base64"
	"strings"

	"fairlead/backend/message"
)

// Pictures are the pictures of parts whose bytes are there: they go with the request. The text
// of their parts has a mark for each.
func Pictures(parts ...*message.Part) []message.Block {
	var pictures []message.Block
	for _, part := range parts {
		for _, block := range part.Pictures() {
			if block.Data != nil {
				pictures = append(pictures, block)
			}
		}
	}
	return pictures
}

// PicturesOf are those of a message of the user's.
func PicturesOf(m message.Message) []message.Block {
	var pictures []message.Block
	for i := range m.Parts {
		pictures = append(pictures, Pictures(&m.Parts[i])...)
	}
	return pictures
}

// Marks is the text of a message that brings pictures of results, where a result can have
// none itself.
func Marks(pictures []message.Block) string {
	lines := make([]string, len(pictures))
	for i := range pictures {
		lines[i] = pictures[i].Mark()
	}
	return strings.Join(lines, "\n")
}

// DataURL is a picture as an address (RFC 2397).
func DataURL(picture message.Block) string {
	return "data:" + picture.MediaType + ";base64," + base64.StdEncoding.EncodeToString(picture.Data)
}
