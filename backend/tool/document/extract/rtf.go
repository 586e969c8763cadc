package extract

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"fairlead/backend/tool/document/exchange"
)

// maxRTF is the size of the largest RTF file that is read, in bytes: pictures are in it as text.
const maxRTF = 64 << 20

// rtf is a document in the Rich Text Format that is being read (version 1.9.1 of the specification).
type rtf struct {
	ctx  context.Context
	code []byte
	at   int
	// group is the state of the group that is being read, and around are those around it.
	group  rtfGroup
	around []rtfGroup
	// page is the encoding of the document, and fonts those of its fonts by their numbers.
	page  encoding.Encoding
	fonts map[int]encoding.Encoding
	font  int
	// raw are bytes that are not decoded yet, and high is the first half of a character in two.
	raw  []byte
	high rune
	// skip is how many characters are left out, which stand for the one before in old readers.
	skip  int
	text  strings.Builder
	table *table
	flow  flow
}

// rtfGroup is what holds inside a group.
type rtfGroup struct {
	encoding encoding.Encoding
	// skips is how many characters follow one in Unicode.
	skips int
	// silent groups have no text, in isFonts fonts are described, and isNote is that of a footnote,
	// whose text before it is waiting.
	silent, isFonts, isNote, inTable bool
	waiting                          string
}

// rtfPages are the encodings by the numbers of their code pages; rtfSets are those numbers by the
// numbers of the character sets of fonts.
var (
	rtfPages = map[int]encoding.Encoding{
		437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 866: charmap.CodePage866,
		874: charmap.Windows874, 932: japanese.ShiftJIS, 936: simplifiedchinese.GB18030, 949: korean.EUCKR,
		950: traditionalchinese.Big5, 1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252,
		1253: charmap.Windows1253, 1254: charmap.Windows1254, 1255: charmap.Windows1255, 1256: charmap.Windows1256,
		1257: charmap.Windows1257, 1258: charmap.Windows1258, 10000: charmap.Macintosh, 54936: simplifiedchinese.GB18030,
		65001: encoding.Nop,
	}
	rtfSets = map[int]int{
		0: 1252, 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256,
		186: 1257, 204: 1251, 222: 874, 238: 1250,
	}
)

// rtfSilent are groups without text of the document; those that are marked by \* are too.
var rtfSilent = map[string]bool{
	"colortbl": true, "stylesheet": true, "info": true, "pict": true, "listtable": true, "listoverridetable": true,
	"header": true, "headerl": true, "headerr": true, "headerf": true, "footer": true, "footerl": true, "footerr": true,
	"footerf": true, "themedata": true, "object": true, "fldinst": true, "xe": true, "tc": true, "filetbl": true, "bkmkstart": true,
	"bkmkend": true, "nonshppict": true, "generator": true, "rsidtbl": true, "revtbl": true, "ftnsep": true, "ftnsepc": true,
	"aftnsep": true, "template": true, "datastore": true, "latentstyles": true, "colorschememapping": true,
}

// rtfSigns are words that stand for a text.
var rtfSigns = map[string]string{
	"tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
	"bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ", "~": "\u00a0", "_": "-", "{": "{", "}": "}", "\\": `\`,
}

func readRTF(ctx context.Context, source Source, into *pages) error {
	code, err := source.all(maxRTF)
	if err != nil {
		return err
	}
	code = bytes.TrimLeft(code, "\xef\xbb\xbf \t\r\n")
	if !bytes.HasPrefix(code, []byte(`{\rtf`)) {
		return broken("it does not begin as RTF does")
	}
	r := &rtf{ctx: ctx, code: code, page: charmap.Windows1252, fonts: map[int]encoding.Encoding{}}
	r.group = rtfGroup{encoding: r.page, skips: 1}
	if err := r.read(); err != nil {
		return err
	}
	return into.whole(r.flow.String())
}

// read goes through the code.
func (r *rtf) read() error {
	for n := 0; r.at < len(r.code); n++ {
		if n%checkEvery == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		c := r.code[r.at]
		r.at++
		switch c {
		case '{':
			r.decode()
			if len(r.around) > maxDepth {
				return &exchange.Failure{Reason: exchange.TooLarge, Detail: "its groups are nested too deeply"}
			}
			r.around = append(r.around, r.group)
			r.group.isNote, r.skip = false, 0
		case '}':
			r.closeGroup()
		case '\\':
			r.control()
		case '\r', '\n', 0:
		default:
			r.raws(c)
		}
	}
	r.paragraph()
	r.endTable()
	return nil
}

// closeGroup ends a group.
func (r *rtf) closeGroup() {
	r.decode()
	r.skip = 0
	if len(r.around) == 0 {
		return
	}
	if r.group.isNote {
		note := r.text.String()
		r.text.Reset()
		r.text.WriteString(r.group.waiting)
		r.text.WriteString(r.flow.note(note))
	}
	r.group = r.around[len(r.around)-1]
	r.around = r.around[:len(r.around)-1]
}

// raws takes a byte of text.
func (r *rtf) raws(c byte) {
	switch {
	case r.skip > 0:
		r.skip--
	case !r.group.silent && !r.group.isFonts:
		r.raw = append(r.raw, c)
	}
}

// write adds a text.
func (r *rtf) write(text string) {
	r.decode()
	switch {
	case r.skip > 0:
		r.skip--
	case !r.group.silent && !r.group.isFonts:
		r.text.WriteString(text)
	}
}

// decode adds the bytes so far.
func (r *rtf) decode() {
	if len(r.raw) == 0 {
		return
	}
	text, err := r.group.encoding.NewDecoder().Bytes(r.raw)
	if err == nil {
		r.text.Write(text)
	}
	r.raw = r.raw[:0]
}

// control takes what follows a backslash.
func (r *rtf) control() {
	if r.at >= len(r.code) {
		return
	}
	start := r.at
	for r.at < len(r.code) && r.at-start < 32 && isLetter(r.code[r.at]) {
		r.at++
	}
	if r.at == start {
		r.at++
		r.sign(r.code[start])
		return
	}
	word := string(r.code[start:r.at])
	from := r.at
	if r.at < len(r.code) && r.code[r.at] == '-' {
		r.at++
	}
	for r.at < len(r.code) && r.at-from < 11 && r.code[r.at] >= '0' && r.code[r.at] <= '9' {
		r.at++
	}
	value, err := strconv.Atoi(string(r.code[from:r.at]))
	if r.at < len(r.code) && r.code[r.at] == ' ' {
		r.at++
	}
	r.word(word, value, err == nil)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// sign takes a control sign.
func (r *rtf) sign(c byte) {
	switch c {
	case '\'':
		if r.at+2 > len(r.code) {
			return
		}
		value, err := strconv.ParseUint(string(r.code[r.at:r.at+2]), 16, 8)
		r.at += 2
		if err == nil {
			r.raws(byte(value))
		}
	case '*':
		r.group.silent = true
	case '\r', '\n':
		r.word("par", 0, false)
	default:
		if text := rtfSigns[string(c)]; text != "" {
			r.write(text)
		}
	}
}

// word takes a control word with its number.
func (r *rtf) word(word string, value int, given bool) {
	if text, ok := rtfSigns[word]; ok {
		r.write(text)
		return
	}
	switch word {
	case "u":
		r.unicode(value)
	case "uc":
		r.group.skips = min(max(value, 0), 16)
	case "bin":
		r.at = min(len(r.code), r.at+max(value, 0))
	case "ansicpg":
		if page := rtfPages[value]; page != nil {
			r.page, r.group.encoding = page, page
		}
	case "mac":
		r.page, r.group.encoding = charmap.Macintosh, charmap.Macintosh
	case "fonttbl":
		r.group.isFonts = true
	case "fcharset":
		if page := rtfPages[rtfSets[value]]; page != nil && r.group.isFonts && value > 1 {
			r.fonts[r.font] = page
		}
	case "f":
		r.useFont(value)
	case "plain":
		r.decode()
		r.group.encoding = r.page
	case "footnote":
		r.decode()
		r.group.isNote, r.group.waiting = true, r.text.String()
		r.text.Reset()
	case "deleted":
		r.decode()
		r.group.silent = !given || value != 0
	case "v": // hidden text
		r.decode()
		r.group.silent = r.group.silent || !given || value != 0
	default:
		if rtfSilent[word] {
			r.decode()
			r.group.silent = true
			return
		}
		r.structure(word)
	}
}

// useFont changes the font, or describes it.
func (r *rtf) useFont(number int) {
	r.decode()
	r.font = number
	if r.group.isFonts {
		return
	}
	r.group.encoding = r.page
	if page := r.fonts[number]; page != nil {
		r.group.encoding = page
	}
}

// unicode adds a character by its code, which is negative from 32768 on.
func (r *rtf) unicode(value int) {
	r.decode()
	r.skip = 0
	code := rune(uint16(value)) //nolint:gosec // it is what is meant
	switch {
	case utf16.IsSurrogate(code) && r.high == 0:
		r.high = code
	case r.high != 0:
		r.write(string(utf16.DecodeRune(r.high, code)))
		r.high = 0
	case code >= 0xE000 && code <= 0xF8FF:
		r.write(string(symbol(code)))
	default:
		r.write(string(code))
	}
	r.skip = r.group.skips
}

// structure takes a word about paragraphs and tables.
func (r *rtf) structure(word string) {
	if r.group.silent {
		return
	}
	switch word {
	case "par", "sect", "page":
		r.decode()
		switch {
		case r.group.isNote || r.group.inTable:
			r.text.WriteByte('\n')
		default:
			r.paragraph()
			r.endTable()
		}
	case "pard":
		r.group.inTable = false
	case "intbl":
		r.group.inTable = true
	case "trowd":
		r.decode()
		if r.table == nil {
			r.paragraph()
			r.table = &table{}
			r.table.begin()
		}
	case "cell", "nestcell":
		r.decode()
		if r.table == nil {
			r.table = &table{}
			r.table.begin()
		}
		if len(r.table.rows[len(r.table.rows)-1]) < maxColumns {
			r.table.add(r.text.String(), 1)
		}
		r.text.Reset()
	case "row":
		if r.table != nil {
			r.table.begin()
		}
	}
}

// paragraph ends a paragraph.
func (r *rtf) paragraph() {
	r.decode()
	if text := r.text.String(); strings.TrimSpace(text) != "" {
		r.endTable()
		r.flow.line(text)
	}
	r.text.Reset()
}

// endTable ends a table, if there is one.
func (r *rtf) endTable() {
	if r.table != nil {
		r.flow.table(r.table)
		r.table = nil
	}
}
