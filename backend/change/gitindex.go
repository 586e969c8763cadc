package change

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// indexMeaning is the sum of what git's index says of the files that it tracks: their modes,
// objects, flags and names (gitformat-index(5)). What it notes of the files on the disk, to be
// quick, and its extensions are left out. ok reports whether it could be read.
func indexMeaning(text []byte) (sum string, ok bool) {
	const head, fixed, idLength = 12, 62, 20
	if len(text) < head || !bytes.HasPrefix(text, []byte("DIRC")) {
		return "", false
	}
	version, count := binary.BigEndian.Uint32(text[4:]), binary.BigEndian.Uint32(text[8:])
	if version < 2 || version > 4 {
		return "", false
	}
	hash := sha256.New()
	var name []byte
	at := head
	for range count {
		if at+fixed > len(text) {
			return "", false
		}
		start := at
		mode, id := binary.BigEndian.Uint32(text[at+24:]), text[at+40:at+40+idLength]
		flags := binary.BigEndian.Uint16(text[at+60:])
		at += fixed
		if flags&0x4000 != 0 { // more flags
			if version < 3 || at+2 > len(text) {
				return "", false
			}
			flags |= binary.BigEndian.Uint16(text[at:]) >> 13 // intent to add, skip worktree
			at += 2
		}
		kept := 0
		if version == 4 {
			dropped, n := offsetVarint(text[at:])
			if n == 0 || dropped > len(name) {
				return "", false
			}
			at, kept = at+n, len(name)-dropped
		}
		end := bytes.IndexByte(text[at:], 0)
		if end < 0 {
			return "", false
		}
		name = append(name[:kept:kept], text[at:at+end]...)
		at += end + 1
		if version < 4 { // padded to eight bytes
			at = start + (at-start+7)/8*8
		}
		fmt.Fprintf(hash, "%o %x %x %q\n", mode, id, flags&^0x0fff, name)
	}
	return hex.EncodeToString(hash.Sum(nil)), true
}

// offsetVarint reads a number as git writes offsets (gitformat-pack(5)); n is 0 where there
// is none.
func offsetVarint(text []byte) (value, n int) {
	for n < len(text) && n < 5 {
		b := int(text[n])
		n++
		if value = value<<7 | b&0x7f; b < 0x80 {
			return value, n
		}
		value++
	}
	return 0, 0
}
