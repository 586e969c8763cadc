//go:build !race

// The race detector would take ten times as long for pixels, which one goroutine computes.

package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/picture"
)

// exif is what a camera writes beside a picture: how it held it, where it was, and when.
func exif(order binary.AppendByteOrder, orientation int, taken string) []byte {
	mark := "II*\x00"
	if order.String() == "BigEndian" {
		mark = "MM\x00*"
	}
	text := []byte(mark)
	text = order.AppendUint32(text, 8)
	entry := func(tag, kind uint16, count, value uint32) {
		text = order.AppendUint16(order.AppendUint16(text, tag), kind)
		text = order.AppendUint32(text, count)
		if kind == 3 {
			text = order.AppendUint16(order.AppendUint16(text, uint16(value)), 0)
			return
		}
		text = order.AppendUint32(text, value)
	}
	const second = 8 + 2 + 2*12 + 4
	text = order.AppendUint16(text, 2)
	entry(0x0112, 3, 1, uint32(orientation))
	entry(0x8769, 4, 1, second)
	text = order.AppendUint32(text, 0)
	text = order.AppendUint16(text, 1)
	entry(0x9003, 2, 20, second+2+12+4)
	text = order.AppendUint32(text, 0)
	return append(append(text, taken...), 0)
}

// pngWith is a PNG file with Exif.
func pngWith(t *testing.T, of image.Image, exif []byte) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, of); err != nil {
		t.Fatal(err)
	}
	const afterHeader = 8 + 12 + 13
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(exif)))
	chunk = append(append(chunk, "eXIf"...), exif...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return slices.Concat(file.Bytes()[:afterHeader], chunk, file.Bytes()[afterHeader:])
}

// jpegWith is a JPEG file with a segment of Exif.
func jpegWith(t *testing.T, of image.Image, exif []byte) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, of, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+8))
	return slices.Concat(file.Bytes()[:2], segment, []byte("Exif\x00\x00"), exif, file.Bytes()[2:])
}

func read(t *testing.T, file []byte) (*picture.File, picture.Shown, image.Image) {
	t.Helper()
	source := bytes.NewReader(file)
	f, err := picture.ReadFile(source, int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	shown, err := f.Decode(source)
	if err != nil {
		t.Fatal(err)
	}
	decoded, format, err := image.Decode(bytes.NewReader(shown.Data))
	if err != nil || "image/"+format != shown.MediaType || decoded.Bounds().Size() != image.Pt(shown.Width, shown.Height) {
		t.Fatalf("%s of %d × %d: a %s of %v, %v", shown.MediaType, shown.Width, shown.Height, format, decoded.Bounds(), err)
	}
	return f, shown, decoded
}

// stored are the pixels of the letters ABC over DEF as a camera stores them with an orientation.
var stored = []string{1: "ABC\nDEF", 2: "CBA\nFED", 3: "FED\nCBA", 4: "DEF\nABC", 5: "AD\nBE\nCF", 6: "CF\nBE\nAD", 7: "FC\nEB\nDA", 8: "DA\nEB\nFC"}

func TestDOC02_APictureIsTurnedUpright(t *testing.T) {
	for orientation := 1; orientation <= 8; orientation++ {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			rows := strings.Split(stored[orientation], "\n")
			drawn := image.NewGray(image.Rect(0, 0, len(rows[0]), len(rows)))
			for y, row := range rows {
				copy(drawn.Pix[y*drawn.Stride:], row)
			}
			f, _, decoded := read(t, pngWith(t, drawn, exif(order, orientation, "2026:05:03 14:22:10")))
			got := ""
			for y := range decoded.Bounds().Dy() {
				for x := range decoded.Bounds().Dx() {
					got += string(rune(color.GrayModel.Convert(decoded.At(x, y)).(color.Gray).Y)) //nolint:forcetypeassert // what it converts to
				}
			}
			if got != "ABCDEF" || f.Width != 3 || f.Height != 2 {
				t.Errorf("orientation %d, %s: %q, %d × %d", orientation, order, got, f.Width, f.Height)
			}
			if f.Taken != "2026-05-03 14:22:10" {
				t.Errorf("orientation %d, %s: taken %q", orientation, order, f.Taken)
			}
		}
	}
}

// noisy is a picture that no format makes small.
func noisy(width, height int) *image.RGBA {
	drawn := image.NewRGBA(image.Rect(0, 0, width, height))
	state := uint32(1)
	for i := range drawn.Pix {
		state = state*1664525 + 1013904223
		drawn.Pix[i] = uint8(state >> 24)
		if i%4 == 3 {
			drawn.Pix[i] = 255
		}
	}
	return drawn
}

func TestDOC02_NothingIsLeftOfWhatStandsBesideAPicture(t *testing.T) {
	const place = "2026:05:03 14:22:10"
	f, shown, _ := read(t, jpegWith(t, noisy(40, 30), exif(binary.BigEndian, 6, place)))
	if f.Format != picture.JPEG || f.Width != 30 || f.Height != 40 || shown.Width != 30 || shown.MediaType != "image/jpeg" {
		t.Errorf("%+v, shown as %s of %d × %d", f, shown.MediaType, shown.Width, shown.Height)
	}
	if bytes.Contains(shown.Data, []byte("Exif")) || bytes.Contains(shown.Data, []byte(place)) {
		t.Error("what the camera wrote is in what is shown")
	}
}

func TestDOC02_APictureIsNoLargerThanModelsTakeIt(t *testing.T) {
	for _, test := range []struct{ from, to image.Point }{
		{image.Pt(1568, 10), image.Pt(1568, 10)},
		{image.Pt(3136, 1000), image.Pt(1568, 500)},
		{image.Pt(1000, 1569), image.Pt(999, 1568)},
		{image.Pt(20000, 1), image.Pt(1568, 1)},
	} {
		_, shown, _ := read(t, pngWith(t, image.NewGray(image.Rectangle{Max: test.from}), nil))
		if shown.Width != test.to.X || shown.Height != test.to.Y {
			t.Errorf("%v becomes %d × %d, want %v", test.from, shown.Width, shown.Height, test.to)
		}
	}
	_, shown, _ := read(t, pngWith(t, noisy(1500, 1500), nil))
	if shown.MediaType != "image/jpeg" {
		t.Errorf("%d bytes of %s", len(shown.Data), shown.MediaType)
	}
}

// A pixel of the result is the mean of what it stands for, also where that is not a whole number
// of pixels.
func TestDOC02_ShrinkingTakesMeans(t *testing.T) {
	wide := image.NewGray(image.Rect(0, 0, 3*picture.MaxEdge/2, 2))
	for x := range wide.Rect.Dx() {
		wide.Pix[x], wide.Pix[wide.Stride+x] = uint8(x%3*90), uint8(x%3*90)
	}
	_, _, decoded := read(t, pngWith(t, wide, nil))
	// Of 0, 90, 180 the first pixel takes the first and half of the second.
	for x, want := range []uint8{30, 150, 30, 150} {
		if got := color.GrayModel.Convert(decoded.At(x, 0)).(color.Gray).Y; got != want { //nolint:forcetypeassert // what it converts to
			t.Errorf("pixel %d is %d, want %d", x, got, want)
		}
	}
}

func TestDOC02_WhatShinesThroughIsKept(t *testing.T) {
	clear := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	clear.SetNRGBA(1, 0, color.NRGBA{R: 200, A: 128})
	_, shown, decoded := read(t, pngWith(t, clear, nil))
	if _, _, _, alpha := decoded.At(0, 0).RGBA(); alpha != 0 || shown.MediaType != "image/png" {
		t.Errorf("%s, alpha %d", shown.MediaType, alpha)
	}
	var file bytes.Buffer
	frames := &gif.GIF{Image: []*image.Paletted{
		image.NewPaletted(image.Rect(0, 0, 4, 4), color.Palette{color.White}), image.NewPaletted(image.Rect(0, 0, 4, 4), color.Palette{color.Black}),
	}, Delay: []int{1, 1}}
	if err := gif.EncodeAll(&file, frames); err != nil {
		t.Fatal(err)
	}
	if f, _, decoded := read(t, file.Bytes()); f.Format != picture.GIF || color.GrayModel.Convert(decoded.At(0, 0)) != (color.Gray{Y: 255}) {
		t.Error("of an animation the first frame is not shown")
	}
}

// header is the beginning of a PNG file of any size.
func header(width, height uint32) []byte {
	chunk := []byte("IHDR")
	chunk = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(chunk, width), height)
	chunk = append(chunk, 8, 6, 0, 0, 0)
	file := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	return binary.BigEndian.AppendUint32(append(file, chunk...), crc32.ChecksumIEEE(chunk))
}

func TestDOC02_WhatCannotBeReadHasAReason(t *testing.T) {
	whole := pngWith(t, noisy(40, 40), nil)
	photograph := jpegWith(t, noisy(400, 400), nil)
	for name, test := range map[string]struct {
		file []byte
		want error
	}{
		"nothing":            {nil, picture.ErrBroken},
		"a text":             {[]byte("a picture, one could think"), picture.ErrBroken},
		"a beginning":        {whole[:20], picture.ErrBroken},
		"half of one":        {whole[:len(whole)/2], picture.ErrBroken},
		"half a photograph":  {photograph[:len(photograph)/2], picture.ErrBroken},
		"segments alone":     {append([]byte("\xff\xd8"), bytes.Repeat([]byte{0xff, 0xe0, 0, 2}, 5000)...), picture.ErrBroken},
		"100,000 by 100,000": {header(100_000, 100_000), picture.ErrTooLarge},
		"a photograph of 65,000 by 65,000": {
			[]byte("\xff\xd8\xff\xc0\x00\x11\x08\xfd\xe8\xfd\xe8\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01"), picture.ErrTooLarge,
		},
	} {
		source := bytes.NewReader(test.file)
		f, err := picture.ReadFile(source, int64(len(test.file)))
		if err == nil {
			_, err = f.Decode(source)
		}
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzFile(f *testing.F) {
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Add([]byte("RIFF\x00\x00\x00\x00WEBPVP8 "))
	var photograph bytes.Buffer
	if err := jpeg.Encode(&photograph, noisy(8, 8), nil); err != nil {
		f.Fatal(err)
	}
	f.Add(slices.Concat([]byte("\xff\xd8\xff\xe1\x00\x6a"), []byte("Exif\x00\x00"), exif(binary.LittleEndian, 6, "2026:05:03 14:22:10"), photograph.Bytes()[2:]))
	f.Fuzz(func(_ *testing.T, file []byte) {
		source := bytes.NewReader(file)
		if read, err := picture.ReadFile(source, int64(len(file))); err == nil && read.Width*read.Height < 1<<20 {
			_, _ = read.Decode(source)
		}
	})
}
