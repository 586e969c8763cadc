package extract

import (
	"context"
	"encoding/xml"
	"strconv"
	"strings"
)

// maxLevel is the deepest level of a list, from 0 (ECMA-376 part 1, 17.9.3).
const maxLevel = 8

// listPlace is where a paragraph is counted: in which list, at which level from 0.
type listPlace struct {
	id    string
	level int
}

// listLevel says how one level of a list is written.
type listLevel struct {
	// format is as in ECMA-376 part 1, 17.18.59; text has %1 for the number of the first level,
	// and so on.
	format, text string
	start        int
	// plain has all numbers written as decimals.
	plain bool
}

// countedList is a list with what it has come to.
type countedList struct {
	levels [maxLevel + 1]listLevel
	counts [maxLevel + 1]int
	begun  [maxLevel + 1]bool
}

// numbering counts the paragraphs of the lists of a document.
type numbering struct {
	// lists are what is counted, by the ids that paragraphs name; several ids can share one.
	lists map[string]*countedList
}

func readNumbering(ctx context.Context, a *archive, part string) (*numbering, error) {
	n := &numbering{lists: map[string]*countedList{}}
	m, done, err := openMarkup(ctx, a, part)
	if err != nil {
		return nil, err
	}
	defer done()
	abstract := map[string]*countedList{}
	err = m.each(func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "abstractNum":
			list := &countedList{}
			abstract[attribute(e, "abstractNumId")] = list
			return readLevels(m, list)
		case "num":
			return n.readList(m, attribute(e, "numId"), abstract)
		}
		return nil
	})
	return n, err
}

// readLevels reads how the levels of a list are written.
func readLevels(m *markup, list *countedList) error {
	level := &listLevel{}
	return m.each(func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "lvl":
			level = &list.levels[number(e, "ilvl", 0, maxLevel)]
			level.start = 1
		case "start":
			level.start = number(e, "val", 1, 1<<20)
		case "numFmt":
			level.format = attribute(e, "val")
		case "lvlText":
			level.text = attribute(e, "val")
		case "isLgl":
			level.plain = attribute(e, "val") != "0"
		}
		return nil
	})
}

// readList reads a list that paragraphs name.
func (n *numbering) readList(m *markup, id string, abstract map[string]*countedList) error {
	var list *countedList
	at := 0
	err := m.each(func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "abstractNumId":
			list = abstract[attribute(e, "val")]
		case "lvlOverride":
			at = number(e, "ilvl", 0, maxLevel)
		case "startOverride":
			if list != nil { // it is counted apart from the others
				own := &countedList{levels: list.levels}
				own.levels[at].start = number(e, "val", 1, 1<<20)
				list = own
			}
		}
		return nil
	})
	if list != nil {
		n.lists[id] = list
	}
	return err
}

// next counts a paragraph. It returns what stands before its text, and how many levels it is
// indented by.
func (n *numbering) next(place listPlace) (label string, indent int) {
	list := n.lists[place.id]
	if list == nil {
		return "", 0
	}
	return list.next(place.level), place.level
}

// next counts an entry of a level, and returns what stands before its text.
func (l *countedList) next(at int) string {
	level := l.levels[at]
	if !l.begun[at] {
		l.begun[at], l.counts[at] = true, level.start
	} else {
		l.counts[at]++
	}
	for deeper := at + 1; deeper <= maxLevel; deeper++ {
		l.begun[deeper] = false
	}
	switch level.format {
	case "none":
		return ""
	case "bullet", "":
		return "- "
	}
	var label strings.Builder
	for text := level.text; text != ""; {
		before, after, found := strings.Cut(text, "%")
		label.WriteString(before)
		if !found {
			break
		}
		if after == "" || after[0] < '1' || after[0] > '1'+maxLevel {
			label.WriteByte('%')
			text = after
			continue
		}
		of := int(after[0] - '1')
		count, format := l.counts[of], l.levels[of].format
		if !l.begun[of] {
			count = l.levels[of].start
		}
		if level.plain {
			format = "decimal"
		}
		label.WriteString(formatCount(count, format))
		text = after[1:]
	}
	if label.Len() == 0 {
		return ""
	}
	return label.String() + " "
}

// formatCount writes a number as a list has it.
func formatCount(n int, format string) string {
	switch format {
	case "lowerLetter":
		return letters(n, 'a')
	case "upperLetter":
		return letters(n, 'A')
	case "lowerRoman":
		return strings.ToLower(roman(n))
	case "upperRoman":
		return roman(n)
	case "decimalZero":
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
	case "chineseCounting", "chineseCountingThousand", "ideographDigital", "japaneseCounting", "taiwaneseCountingThousand":
		return chinese(n)
	}
	return strconv.Itoa(n)
}

// letters counts a, b, … z, aa, bb, … (ECMA-376 part 1, 17.18.59).
func letters(n int, first rune) string {
	const alphabet, most = 26, 20
	if n < 1 || n > alphabet*most {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(first+rune((n-1)%alphabet)), (n-1)/alphabet+1)
}

// roman writes a number in Roman numerals.
func roman(n int) string {
	const most = 3999
	if n < 1 || n > most {
		return strconv.Itoa(n)
	}
	var text strings.Builder
	for _, step := range []struct {
		value int
		sign  string
	}{
		{1000, "M"},
		{900, "CM"},
		{500, "D"},
		{400, "CD"},
		{100, "C"},
		{90, "XC"},
		{50, "L"},
		{40, "XL"},
		{10, "X"},
		{9, "IX"},
		{5, "V"},
		{4, "IV"},
		{1, "I"},
	} {
		for ; n >= step.value; n -= step.value {
			text.WriteString(step.sign)
		}
	}
	return text.String()
}

// chinese writes a number below ten thousand as it is spoken.
func chinese(n int) string {
	const most = 9999
	if n < 1 || n > most {
		return strconv.Itoa(n)
	}
	digits, places := []rune("零一二三四五六七八九"), []string{"千", "百", "十", ""}
	var text strings.Builder
	zero := false
	for i, place := range places {
		unit := []int{1000, 100, 10, 1}[i]
		digit := n / unit % 10
		switch {
		case digit == 0:
			zero = text.Len() > 0
			continue
		case zero:
			text.WriteRune(digits[0])
		}
		zero = false
		if digit != 1 || unit != 10 || text.Len() > 0 { // 10 to 19 begin with 十
			text.WriteRune(digits[digit])
		}
		text.WriteString(place)
	}
	return text.String()
}
