package document_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"
)

// chunk is a chunk of a PNG file.
func chunk(kind string, data []byte) []byte {
	size := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	content := append([]byte(kind), data...)
	return binary.BigEndian.AppendUint32(append(size, content...), crc32.ChecksumIEEE(content))
}

// pngFile is a PNG file of zeros with so many bits for a sample, of a colour type; interlaced if
// that is 1. As much of it is there as count says, in bytes.
func pngFile(t *testing.T, width, height uint32, bits, colour, interlaced byte, count int) []byte {
	t.Helper()
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	header = append(header, bits, colour, 0, 0, interlaced)
	file := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", header)...)
	file = append(file, chunk("IDAT", []byte(packed(t, content{repeated{"\x00", count}})))...)
	return append(file, chunk("IEND", nil)...)
}

// hostilePictures are pictures that were made to do harm.
func hostilePictures(t *testing.T) map[string][]byte {
	t.Helper()
	gray := pngFile(t, 13_700, 13_700, 8, 0, 0, 13_701*13_700)
	const square = "\x08\xff\xdc\xff\xdc" // 65,500 pixels each way
	components := "\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01"
	webp := func(kind, data string) []byte {
		body := "WEBP" + kind + string(binary.LittleEndian.AppendUint32(nil, uint32(len(data)))) + data
		return []byte("RIFF" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + body)
	}
	return map[string][]byte{
		"100,000 px.png":    pngFile(t, 100_000, 100_000, 16, 6, 0, 1<<24),
		"most memory.png":   gray,
		"interlaced.png":    pngFile(t, 5_000, 5_000, 16, 6, 1, 1<<28),
		"short.png":         pngFile(t, 6_000, 6_000, 8, 6, 0, 1000),
		"long.png":          pngFile(t, 10, 10, 8, 6, 0, 1<<28),
		"line.png":          pngFile(t, 10_000_000, 1, 8, 0, 0, 10_000_001),
		"cut.png":           gray[:len(gray)/2],
		"chunks.png":        append(gray[:33:33], bytes.Repeat(chunk("teXt", nil), 1<<18)...),
		"65,500 px.jpg":     []byte("\xff\xd8\xff\xc0\x00\x11" + square + components),
		"progressive.jpg":   []byte("\xff\xd8\xff\xc2\x00\x11\x08\x0b\xb8\x0f\xa0" + components + "\xff\xda"),
		"segments.jpg":      append([]byte("\xff\xd8"), bytes.Repeat([]byte("\xff\xe1\x00\x02"), 1<<20)...),
		"fill.jpg":          append([]byte("\xff\xd8"), bytes.Repeat([]byte("\xff"), 1<<22)...),
		"65,535 px.gif":     []byte("GIF89a\xff\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\xff\xff\xff\xff\x00\x08"),
		"no end.gif":        append([]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00"), bytes.Repeat([]byte("!\xfe\xffa"), 1<<16)...),
		"canvas.webp":       webp("VP8X", "\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff"),
		"16,384 px.webp":    webp("VP8L", "\x2f\xff\xff\xff\x0f"+strings.Repeat("\x00", 100)),
		"nothing.webp":      webp("VP8 ", strings.Repeat("\xff", 1000)),
		"a text.jpg":        []byte("not a picture at all"),
		"100,000 px.pdf":    onePage(stream("", "100 0 0 100 0 0 cm /I Do"), "/XObject << /I 6 0 R >>", stream("/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode", packed(t, content{repeated{"\x00", 1 << 28}}))),
		"a large page.pdf":  []byte(strings.Replace(string(onePage(stream("", "0 0 100 100 re f"), "")), "/MediaBox [0 0 ", "/MediaBox [0 0 9000000", 1)),
		"many drawings.pdf": onePage(stream("/Filter /FlateDecode", packed(t, content{repeated{"0 0 m 9 9 l 3 7 99 2 1 1 c S\n", 1 << 20}})), ""),
	}
}
