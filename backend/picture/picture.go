// Package picture makes what a model is shown of a picture: upright, no larger than models take it,
// and without what the file says beside it, such as where a photograph was taken. It is meant for
// a process that may be harmed (tool/document/extract): the libraries that it decodes with are
// given whatever a file says.
package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

const (
	// MaxEdge is how long the longer edge is at most, in pixels. Anthropic shrinks what is larger
	// (https://docs.claude.com/en/docs/build-with-claude/vision), and others take no more of it.
	MaxEdge = 1568
	// quality is that of JPEG files, of 100: writing of a usual size stays readable.
	quality = 85
	// maxPNG is how many bytes a PNG file may have. What has more becomes a JPEG file.
	maxPNG = 1 << 20
)

// Shown is a picture as a model is shown it.
type Shown struct {
	// MediaType is image/png or image/jpeg.
	MediaType string
	Data      []byte
	// Width and Height are in pixels.
	Width, Height int
}

// Decode reads the picture of a file, and turns it upright.
func (f *File) Decode(source io.ReaderAt) (Shown, error) {
	if f.memory > maxMemory {
		return Shown{}, fmt.Errorf("%w: %d × %d pixels", ErrTooLarge, f.Width, f.Height)
	}
	decoded, err := decoders[f.Format](io.NewSectionReader(source, 0, f.size))
	if err != nil {
		return Shown{}, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return show(decoded, f.orientation, f.Format == JPEG)
}

var decoders = map[Format]func(io.Reader) (image.Image, error){
	PNG: png.Decode, JPEG: jpeg.Decode, GIF: gif.Decode, WebP: webp.Decode, // of a GIF the first frame
}

// Show is a picture that was drawn, as a photograph if that is what it looks like.
func Show(drawn image.Image, photograph bool) (Shown, error) { return show(drawn, upright, photograph) }

func show(decoded image.Image, orientation int, photograph bool) (Shown, error) {
	size := decoded.Bounds().Size()
	if size.X <= 0 || size.Y <= 0 {
		return Shown{}, fmt.Errorf("%w: it has no pixels", ErrBroken)
	}
	turned := turn(shrink(decoded, fit(size)), orientation)
	shown := Shown{MediaType: "image/png", Width: turned.Rect.Dx(), Height: turned.Rect.Dy()}
	var data bytes.Buffer
	if !photograph {
		if err := png.Encode(&data, turned); err != nil {
			return Shown{}, err
		}
	}
	if photograph || data.Len() > maxPNG {
		data.Reset()
		shown.MediaType = "image/jpeg"
		if err := jpeg.Encode(&data, onWhite(turned), &jpeg.Options{Quality: quality}); err != nil {
			return Shown{}, err
		}
	}
	shown.Data = data.Bytes()
	return shown, nil
}

// fit is the size of a picture whose edges are no longer than MaxEdge.
func fit(size image.Point) image.Point {
	longer := max(size.X, size.Y)
	if longer <= MaxEdge {
		return size
	}
	return image.Pt(max(size.X*MaxEdge/longer, 1), max(size.Y*MaxEdge/longer, 1))
}

// onWhite is a picture of which nothing shines through.
func onWhite(of *image.RGBA) *image.RGBA {
	if of.Opaque() {
		return of
	}
	white := image.NewRGBA(of.Rect)
	draw.Draw(white, white.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(white, white.Rect, of, of.Rect.Min, draw.Over)
	return white
}
