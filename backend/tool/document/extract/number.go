package extract

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// builtInFormats are the formats that have a number only (ECMA-376 part 1, 18.8.30). Dates that
// depend on where the user is are shown with the year first.
var builtInFormats = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
	14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm",
	21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00",
	40: "#,##0.00;-#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
	// Those of Chinese, Japanese and Korean versions are dates and times.
	27: "yyyy-mm-dd", 28: "m-d", 29: "m-d", 30: "yyyy-mm-dd", 31: "yyyy-mm-dd", 32: "h:mm", 33: "h:mm:ss",
	34: "h:mm", 35: "h:mm:ss", 36: "yyyy-mm-dd", 50: "yyyy-mm-dd", 51: "m-d", 52: "yyyy-mm", 53: "m-d", 54: "m-d",
	55: "h:mm", 56: "h:mm:ss", 57: "yyyy-mm-dd", 58: "m-d",
}

// numberFormat says how a number is shown: up to three sections, for positive and negative numbers
// and zero (ECMA-376 part 1, 18.8.31). The zero numberFormat shows it as it is.
type numberFormat struct{ sections []formatSection }

// formatSection is one section of a format, in pieces.
type formatSection struct {
	pieces []formatPiece
	// isDate says that the number is a day and a time of it.
	isDate bool
	// whole and decimals are how many digits there are at least before the point, and at most after
	// it; least is how many of those at least.
	whole, decimals, least int
	// grouped has digits in groups of three; percents multiplies by a hundred each, thousands divides
	// by a thousand each.
	grouped             bool
	percents, thousands int
	// exponent is how many digits the power of ten has at least, 0 for none.
	exponent int
	// fraction says that it is shown as a fraction, whose lower number has so many digits at most, or is
	// this one.
	fraction           bool
	lowerDigits, lower int
}

// formatPiece is a text that is shown as it is, or the digits, or a field of a date such as "yyyy".
type formatPiece struct {
	text  string
	field bool
}

// numberField is the field that stands for the number itself.
const numberField = "0"

// show returns a number as the format has it.
func (f numberFormat) show(n float64, since1904 bool) string {
	if len(f.sections) == 0 || math.IsNaN(n) || math.IsInf(n, 0) {
		return general(n)
	}
	section := f.sections[0]
	switch {
	case n < 0 && len(f.sections) > 1:
		section, n = f.sections[1], -n
	case n == 0 && len(f.sections) > 2:
		section = f.sections[2]
	}
	if section.isDate {
		return section.showTime(n, since1904)
	}
	return section.showNumber(n)
}

// shownDigits is how many digits of a number are exact (IEEE 754 double precision).
const shownDigits = 15

// general shows a number as it is.
func general(n float64) string {
	text := strconv.FormatFloat(n, 'g', shownDigits, 64)
	n, _ = strconv.ParseFloat(text, 64)
	if size := math.Abs(n); size != 0 && (size < 1e-9 || size >= 1e15) {
		return strconv.FormatFloat(n, 'E', -1, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

func (s formatSection) showNumber(n float64) string {
	var text strings.Builder
	shown := s.digits(math.Abs(n))
	if n < 0 && strings.Trim(shown, "0.,E+") != "" {
		text.WriteByte('-')
	}
	for _, piece := range s.pieces {
		if piece.field {
			text.WriteString(shown)
		} else {
			text.WriteString(piece.text)
		}
	}
	return strings.TrimSpace(text.String())
}

// digits are those of a number that is not negative.
func (s formatSection) digits(n float64) string {
	if s.fraction {
		return s.showFraction(n)
	}
	n *= math.Pow(100, float64(s.percents)) / math.Pow(1000, float64(s.thousands))
	if s.exponent > 0 {
		text := strconv.FormatFloat(n, 'E', s.decimals, 64)
		mantissa, power, _ := strings.Cut(text, "E")
		sign, power := power[:1], strings.TrimLeft(power[1:], "0")
		return mantissa + "E" + sign + strings.Repeat("0", max(0, s.exponent-len(power))) + power
	}
	whole, decimals := roundDecimal(n, s.decimals)
	for len(decimals) > s.least && strings.HasSuffix(decimals, "0") {
		decimals = decimals[:len(decimals)-1]
	}
	if len(whole) < s.whole {
		whole = strings.Repeat("0", s.whole-len(whole)) + whole
	}
	if s.whole == 0 && whole == "0" && decimals != "" {
		whole = ""
	}
	if s.grouped {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if decimals != "" {
		return whole + "." + decimals
	}
	return whole
}

// showFraction shows a number as a whole and a fraction: the nearest one with the lower number that is
// given, or with as few digits.
func (s formatSection) showFraction(n float64) string {
	const most = 999
	whole, rest := math.Modf(n)
	upper, lower := 0, 1
	if s.lower > 0 {
		upper, lower = int(math.Round(rest*float64(s.lower))), s.lower
	} else {
		far := math.Inf(1)
		for try := 1; try <= min(most, int(math.Pow10(s.lowerDigits))-1); try++ {
			near := math.Round(rest * float64(try))
			if off := math.Abs(rest - near/float64(try)); off < far-1e-12 {
				upper, lower, far = int(near), try, off
			}
		}
	}
	if upper == lower {
		whole, upper = whole+1, 0
	}
	switch {
	case upper == 0:
		return general(whole)
	case whole == 0:
		return fmt.Sprintf("%d/%d", upper, lower)
	}
	return fmt.Sprintf("%s %d/%d", general(whole), upper, lower)
}

// roundDecimal rounds a number as it is written in decimals, half up: what is written as 2.675 is
// 2.68, though the number itself is less.
func roundDecimal(n float64, places int) (whole, decimals string) {
	exact := strconv.FormatFloat(n, 'e', shownDigits-1, 64)
	near, _ := strconv.ParseFloat(exact, 64)
	text := strconv.FormatFloat(near, 'f', -1, 64)
	whole, decimals, _ = strings.Cut(text, ".")
	if len(decimals) <= places {
		return whole, decimals + strings.Repeat("0", places-len(decimals))
	}
	up := decimals[places] >= '5'
	number := []byte(whole + decimals[:places])
	for i := len(number) - 1; up && i >= 0; i-- {
		if up = number[i] == '9'; up {
			number[i] = '0'
		} else {
			number[i]++
		}
	}
	if up {
		number = append([]byte{'1'}, number...)
	}
	at := len(number) - places
	return string(number[:at]), string(number[at:])
}

// showTime shows a number of days since the beginning of 1900 as a date and a time.
func (s formatSection) showTime(n float64, since1904 bool) string {
	const most = 2_958_466 // the year 10000
	if n < 0 || n >= most {
		return general(n)
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if since1904 {
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	} else if n < 60 {
		first = first.AddDate(0, 0, 1) // Excel counts the 29th of February 1900, which there was not
	}
	days := math.Floor(n)
	rest := time.Duration(math.Round((n-days)*24*60*60*1000)) * time.Millisecond
	fractions := false
	for _, piece := range s.pieces {
		fractions = fractions || piece.field && piece.text[0] == '.'
	}
	if !fractions {
		rest = rest.Round(time.Second)
	}
	at := first.AddDate(0, 0, int(days)).Add(rest)
	half := false
	for _, piece := range s.pieces {
		half = half || piece.field && piece.text == "AM/PM"
	}
	var text strings.Builder
	for _, piece := range s.pieces {
		if piece.field {
			text.WriteString(showField(piece.text, at, time.Duration(days)*24*time.Hour+rest, half))
		} else {
			text.WriteString(piece.text)
		}
	}
	return strings.TrimSpace(text.String())
}

// dateFields are the fields of a date as Go writes them; n is a minute.
var dateFields = map[string]string{
	"yy": "06", "yyyy": "2006", "m": "1", "mm": "01", "mmm": "Jan", "mmmm": "January", "d": "2", "dd": "02",
	"ddd": "Mon", "dddd": "Monday", "n": "4", "nn": "04", "s": "5", "ss": "05", "AM/PM": "PM",
}

// showField shows one field of a time, since is how long it is since the first day.
func showField(field string, at time.Time, since time.Duration, half bool) string {
	switch {
	case field[0] == '.':
		return at.Format("." + strings.Repeat("0", min(len(field)-1, 3)))
	case field[0] == '[':
		unit := map[byte]time.Duration{'h': time.Hour, 'm': time.Minute, 'n': time.Minute, 's': time.Second}[field[1]]
		text := strconv.Itoa(int(since / unit))
		return strings.Repeat("0", max(0, len(field)-1-len(text))) + text
	case field[0] == 'h' && half:
		return at.Format(map[bool]string{true: "3", false: "03"}[len(field) == 1])
	case field == "h":
		return strconv.Itoa(at.Hour())
	case field[0] == 'h':
		return at.Format("15")
	case field == "mmmmm":
		return at.Format("Jan")[:1]
	case len(field) > 2 && field[0] == 'y':
		return at.Format("2006")
	case field == "y":
		return at.Format("06")
	}
	return at.Format(dateFields[field])
}
