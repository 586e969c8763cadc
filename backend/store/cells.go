package store

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// The kinds of pages that hold rows: the leaves of a table, and all pages of a table
// that is kept in the order of its key, which SQLite stores as it does an index.
const (
	tableLeaf   = 0x0d
	keyedLeaf   = 0x0a
	keyedBranch = 0x02
)

// row is what one cell of a page holds: nil, int64, float64, string or []byte for each
// column.
type row []any

// findRows are the rows whose cells stand on a page, found without the tree that leads to
// it; keyed reports whether they are of a table in the order of its key. A cell that
// makes no sense is passed over.
func (p *pages) findRows(number uint32, found func(r row, keyed bool)) {
	text, ok := p.readPage(number)
	if !ok {
		return
	}
	head := 0
	if number == 1 {
		head = 100 // after the header of the file
	}
	kind, pointers := text[head], head+8
	switch kind {
	case tableLeaf, keyedLeaf:
	case keyedBranch:
		pointers += 4
	default:
		return
	}
	cells := int(binary.BigEndian.Uint16(text[head+3:]))
	for i := 0; i < cells && pointers+2*i+2 <= len(text); i++ {
		at := int(binary.BigEndian.Uint16(text[pointers+2*i:]))
		if at < pointers+2*cells || at >= len(text) {
			continue
		}
		if payload, ok := p.readPayload(text[at:], kind); ok {
			if r, ok := parseRow(payload); ok {
				found(r, kind != tableLeaf)
			}
		}
	}
}

// longest bounds what one row can hold, in bytes: SQLite's own bound.
const longest = 1_000_000_000

// mostColumns is more than any table of the store has.
const mostColumns = 64

// readPayload is the content of a cell, with the part of it that stands on pages of its own.
func (p *pages) readPayload(cell []byte, kind byte) ([]byte, bool) {
	if kind == keyedBranch {
		if len(cell) < 4 {
			return nil, false
		}
		cell = cell[4:] // the page below
	}
	length, n := readVarint(cell)
	if n == 0 || length == 0 || length > longest {
		return nil, false
	}
	cell = cell[n:]
	if kind == tableLeaf {
		if _, n = readVarint(cell); n == 0 {
			return nil, false
		}
		cell = cell[n:] // the row's number
	}
	local := localBytes(int(length), kind)
	if local > len(cell) {
		return nil, false
	}
	if local == int(length) {
		return cell[:local], true
	}
	if local+4 > len(cell) {
		return nil, false
	}
	return p.readChain(cell[:local], int(length), binary.BigEndian.Uint32(cell[local:]))
}

// localBytes is how much of a payload stands in the cell itself.
func localBytes(length int, kind byte) int {
	most := pageSize - 35
	if kind != tableLeaf {
		most = (pageSize-12)*64/255 - 23
	}
	if length <= most {
		return length
	}
	least := (pageSize-12)*32/255 - 23
	if some := least + (length-least)%(pageSize-4); some <= most {
		return some
	}
	return least
}

// readChain adds the pages that a payload goes on on. It ends where the file is too small
// for the length, which bounds what a wrong length can cost.
func (p *pages) readChain(start []byte, length int, next uint32) ([]byte, bool) {
	if needed := (length - len(start) + pageSize - 5) / (pageSize - 4); int64(needed) > int64(p.count) {
		return nil, false
	}
	whole := append([]byte(nil), start...)
	for len(whole) < length {
		text, ok := p.readPage(next)
		if p.chained--; !ok || p.chained < 0 {
			return nil, false
		}
		next = binary.BigEndian.Uint32(text)
		whole = append(whole, text[4:4+min(pageSize-4, length-len(whole))]...)
	}
	return whole, next == 0
}

// readVarint reads an integer of SQLite's; n is 0 where there is none.
func readVarint(text []byte) (value uint64, n int) {
	for n < len(text) && n < 8 {
		value = value<<7 | uint64(text[n]&0x7f)
		n++
		if text[n-1] < 0x80 {
			return value, n
		}
	}
	if n < 8 || len(text) < 9 {
		return 0, 0
	}
	return value<<8 | uint64(text[8]), 9
}

// parseRow reads a record. It must fill its payload exactly.
func parseRow(payload []byte) (row, bool) {
	length, n := readVarint(payload)
	if n == 0 || length > uint64(len(payload)) || length < uint64(n) { //nolint:gosec // n is at most 9
		return nil, false
	}
	kinds, body := payload[n:length], payload[length:]
	var r row
	for len(kinds) > 0 {
		kind, n := readVarint(kinds)
		if n == 0 || len(r) == mostColumns {
			return nil, false
		}
		kinds = kinds[n:]
		value, size, ok := parseValue(kind, body)
		if !ok {
			return nil, false
		}
		r, body = append(r, value), body[size:]
	}
	return r, len(body) == 0
}

// parseValue reads a value of a record, by its kind, from the start of text.
func parseValue(kind uint64, text []byte) (value any, size int, ok bool) {
	switch {
	case kind == 0:
		return nil, 0, true
	case kind <= 7:
		size = [...]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8}[kind]
		if size > len(text) {
			return nil, 0, false
		}
		bits := uint64(int64(int8(text[0]))) //nolint:gosec // the first byte has the sign
		for _, b := range text[1:size] {
			bits = bits<<8 | uint64(b)
		}
		if kind == 7 {
			return math.Float64frombits(bits), size, true
		}
		return int64(bits), size, true //nolint:gosec // the bits are those of the number
	case kind == 8 || kind == 9:
		return int64(kind) - 8, 0, true
	case kind < 12 || (kind-12)/2 > uint64(len(text)):
		return nil, 0, false
	}
	size = int((kind - 12) / 2) //nolint:gosec // at most the length of the text
	if kind%2 == 0 {
		return text[:size:size], size, true
	}
	return string(text[:size]), size, utf8.Valid(text[:size])
}
