package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// Format is how a picture is written in a file.
type Format string

// The formats that are read.
const (
	PNG  Format = "PNG"
	JPEG Format = "JPEG"
	GIF  Format = "GIF"
	WebP Format = "WebP"
)

// Why a picture cannot be read.
var (
	ErrBroken   = errors.New("the picture is broken")
	ErrTooLarge = errors.New("the picture is too large")
)

// maxMemory is how many bytes a decoded picture may take. Of the usual JPEG files that are some
// hundred million pixels.
const maxMemory = 180 << 20

// File is what a file says of its picture.
type File struct {
	Format Format
	// Width and Height are those of the picture when it is upright, in pixels.
	Width, Height int
	// Taken is when a photograph was taken, as "2006-01-02 15:04:05" by the clock of the camera;
	// empty where the file does not say.
	Taken string

	size, memory int64
	orientation  int
}

// FormatOf returns the format of a file that begins so; empty for what is no picture.
func FormatOf(head []byte) Format {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return PNG
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return JPEG
	case bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		return GIF
	case len(head) >= 12 && bytes.HasPrefix(head, []byte("RIFF")) && string(head[8:12]) == "WEBP":
		return WebP
	}
	return ""
}

// ReadFile reads what a file of so many bytes says of its picture, but not the picture.
func ReadFile(source io.ReaderAt, size int64) (*File, error) {
	head := make([]byte, 16)
	n, err := source.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	f := &File{Format: FormatOf(head[:n]), size: size, orientation: upright}
	var dimensions image.Point
	switch f.Format {
	case JPEG:
		dimensions, err = f.readJPEG(source)
	case PNG:
		dimensions, err = f.readPNG(source)
	case WebP:
		dimensions, err = f.readWebP(source)
	case GIF:
		var config image.Config
		config, err = gif.DecodeConfig(io.NewSectionReader(source, 0, size))
		dimensions = image.Pt(config.Width, config.Height)
		f.memory = int64(config.Width) * int64(config.Height)
	default:
		err = errors.New("it is in no format that is known")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	f.Width, f.Height = dimensions.X, dimensions.Y
	if f.orientation >= 5 && f.orientation <= 8 {
		f.Width, f.Height = f.Height, f.Width
	}
	return f, nil
}

// maxParts is how many parts of a file are looked at before its picture begins.
const maxParts = 1000

// errNoPicture is returned where a file ends, or goes on for long, without a picture.
var errNoPicture = errors.New("there is no picture in it")

// readJPEG reads the segments of a JPEG file up to its picture (ITU T.81, annex B).
func (f *File) readJPEG(source io.ReaderAt) (image.Point, error) {
	var head [20]byte
	at := int64(2)
	for range maxParts {
		n, _ := source.ReadAt(head[:], at)
		if n < 4 || head[0] != 0xff {
			break
		}
		kind, length := head[1], int(binary.BigEndian.Uint16(head[2:]))
		switch {
		case kind == 0xff: // fill bytes
			at++
			continue
		case kind == 0xe1:
			f.readExif(source, at+4, length-2)
		case kind >= 0xc0 && kind <= 0xcf && kind != 0xc4 && kind != 0xc8 && kind != 0xcc:
			// The sizes of the picture, and of each component in proportion to the largest.
			if n < 10 || n < 10+3*int(head[9]) && head[9] <= 3 {
				return image.Point{}, io.ErrUnexpectedEOF
			}
			size := image.Pt(int(binary.BigEndian.Uint16(head[7:])), int(binary.BigEndian.Uint16(head[5:])))
			f.memory = int64(float64(size.X) * float64(size.Y) * samplesPerPixel(head[9:n]))
			if kind == 0xc2 { // progressive: its coefficients are kept until the end, 4 bytes each
				f.memory *= 5
			}
			return size, nil
		}
		at += 2 + int64(length)
	}
	return image.Point{}, errNoPicture
}

// samplesPerPixel is how many samples a JPEG file has of each pixel, by its list of components.
func samplesPerPixel(components []byte) float64 {
	count := int(components[0])
	if count != 3 || len(components) < 10 {
		return float64(count)
	}
	total, most := 0, 1
	for i := range count {
		factors := components[1+3*i+1]
		samples := int(factors>>4) * int(factors&15)
		total, most = total+samples, max(most, samples)
	}
	return float64(total) / float64(most)
}

// readPNG reads the header of a PNG file, and what follows it up to the picture (PNG 3, chapter 11).
func (f *File) readPNG(source io.ReaderAt) (image.Point, error) {
	config, err := png.DecodeConfig(io.NewSectionReader(source, 0, f.size))
	if err != nil {
		return image.Point{}, err
	}
	var header [13]byte
	if _, err := source.ReadAt(header[:], 16); err != nil {
		return image.Point{}, err
	}
	samples := map[byte]int64{0: 1, 2: 4, 3: 1, 4: 4, 6: 4}[header[9]]
	if header[8] == 16 {
		samples *= 2
	}
	f.memory = int64(config.Width) * int64(config.Height) * samples
	if header[12] != 0 { // interlaced: each pass is a picture of its own until it is taken in
		f.memory += f.memory / 2
	}
	var head [8]byte
	at := int64(8)
	for range maxParts {
		if _, err := source.ReadAt(head[:], at); err != nil || string(head[4:]) == "IDAT" {
			break // the picture, or its absence, which decoding finds
		}
		length := int64(binary.BigEndian.Uint32(head[:]))
		if string(head[4:]) == "eXIf" {
			f.readTIFF(source, at+8, int(min(length, maxExif)))
		}
		at += 12 + length
	}
	return image.Pt(config.Width, config.Height), nil
}

// readWebP reads the chunks of a WebP file (RFC 9649).
func (f *File) readWebP(source io.ReaderAt) (image.Point, error) {
	config, err := webp.DecodeConfig(io.NewSectionReader(source, 0, f.size))
	if err != nil {
		return image.Point{}, err
	}
	// A lossless picture has its pixels in two forms while it is read.
	f.memory = int64(config.Width) * int64(config.Height) * 8
	var head [8]byte
	at := int64(12)
	for range maxParts {
		if _, err := source.ReadAt(head[:], at); err != nil {
			break
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		switch string(head[:4]) {
		case "EXIF":
			f.readTIFF(source, at+8, int(min(length, maxExif)))
		case "VP8 ":
			f.memory = int64(config.Width) * int64(config.Height) * 3
		}
		at += 8 + length + length%2
	}
	return image.Pt(config.Width, config.Height), nil
}
