package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// pageSize is the size in bytes of the pages of every database that the store makes.
const pageSize = 4096

// pages are the pages of a database file as its last commit left them, read without
// SQLite: a damaged file is one that SQLite does not open. Whatever is in the file is
// taken as hostile.
type pages struct {
	file io.ReaderAt
	// count is how many pages the file has; the last may be cut.
	count uint32
	log   io.ReaderAt
	// logged is where a page stands in the log, in bytes, for the pages of which the
	// log has a later state than the file.
	logged map[uint32]int64
	// chained is how many pages may still be read for rows that go on on pages of their
	// own. No sound file needs more than it has; one made to cost time would.
	chained int64
}

// readPages opens the pages of the database at path, with what is still in its log. It
// writes nothing.
func readPages(path string) (p *pages, closeFiles func() error, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read the damaged file: %w", err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file", path)
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("read the damaged file: %w", err), file.Close())
	}
	p = newPages(file, info.Size())
	log, err := os.Open(path + "-wal")
	if err != nil {
		return p, file.Close, nil //nolint:nilerr // without a log, or without one that can be read, the file is all there is
	}
	p.readLog(log)
	p.chained = chainedTimes * int64(p.count)
	return p, func() error { return errors.Join(file.Close(), log.Close()) }, nil
}

// chainedTimes is how many times as many pages as there are may be read for rows that go
// on on pages of their own: cells of a spoiled page can lead to the same ones.
const chainedTimes = 8

func newPages(file io.ReaderAt, size int64) *pages {
	count := pagesIn(size)
	return &pages{file: file, count: count, chained: chainedTimes * int64(count)}
}

// pagesIn is how many pages so many bytes are; part of a page counts as one.
func pagesIn(size int64) uint32 {
	const most = 1<<32 - 2                               // SQLite's own bound
	return uint32(min((size+pageSize-1)/pageSize, most)) //nolint:gosec // it is bounded
}

// readPage reads a page. What the file lacks at its end is zeros; ok is false where nothing
// of the page can be read.
func (p *pages) readPage(number uint32) (text []byte, ok bool) {
	if number == 0 || number > p.count {
		return nil, false
	}
	text = make([]byte, pageSize)
	if at, ok := p.logged[number]; ok {
		_, err := p.log.ReadAt(text, at)
		return text, err == nil
	}
	n, err := p.file.ReadAt(text, int64(number-1)*pageSize)
	// A page that the disk does not give is lost, and the others are not.
	return text, n > 0 && (err == nil || errors.Is(err, io.EOF))
}

// The layout of a log (https://www.sqlite.org/fileformat2.html#walformat).
const (
	logHeader  = 32
	frameHead  = 24
	logMagic   = 0x377f0682 // the last bit: words are big-endian in the checksums
	frameBytes = frameHead + pageSize
)

// readLog takes the pages of the log up to its last whole commit. A log that is not
// sound from its beginning counts as none, as it does for SQLite.
func (p *pages) readLog(log io.ReaderAt) {
	head := make([]byte, logHeader)
	if _, err := log.ReadAt(head, 0); err != nil {
		return
	}
	magic := binary.BigEndian.Uint32(head)
	if magic&^1 != logMagic || binary.BigEndian.Uint32(head[8:]) != pageSize {
		return
	}
	sum := checksum{order: binary.LittleEndian}
	if magic&1 == 1 {
		sum.order = binary.BigEndian
	}
	sum.add(head[:24])
	if !sum.isChecksum(head[24:]) {
		return
	}
	salt := string(head[16:24])
	p.log, p.logged = log, map[uint32]int64{}
	since := map[uint32]int64{} // the last commit
	frame := make([]byte, frameBytes)
	for at := int64(logHeader); ; at += frameBytes {
		if _, err := log.ReadAt(frame, at); err != nil || string(frame[8:16]) != salt {
			return
		}
		sum.add(frame[:8])
		sum.add(frame[frameHead:])
		if !sum.isChecksum(frame[16:]) {
			return
		}
		since[binary.BigEndian.Uint32(frame)] = at + frameHead
		count := binary.BigEndian.Uint32(frame[4:])
		if count == 0 {
			continue
		}
		p.count = max(p.count, count)
		for number, place := range since {
			p.logged[number] = place
		}
		clear(since)
	}
}

// checksum is SQLite's of a log.
type checksum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

// add adds whole pairs of 32-bit words.
func (c *checksum) add(text []byte) {
	for ; len(text) >= 8; text = text[8:] {
		c.s0 += c.order.Uint32(text) + c.s1
		c.s1 += c.order.Uint32(text[4:]) + c.s0
	}
}

func (c *checksum) isChecksum(text []byte) bool {
	return c.s0 == binary.BigEndian.Uint32(text) && c.s1 == binary.BigEndian.Uint32(text[4:])
}
