package extract

import "testing"

func TestDOC01_NumbersAreShownAsInTheSheet(t *testing.T) {
	for _, test := range []struct {
		code string
		n    float64
		want string
	}{
		{"", 1234.5, "1234.5"},
		{"General", 0.1 + 0.2, "0.3"},
		{"General", 1e20, "1E+20"},
		{"0", 2.5, "3"},
		{"0", -0.4, "0"},
		{"0.00", 2.675, "2.68"},
		{"0.00", -1234.5, "-1234.50"},
		{"000", 7, "007"},
		{"#,##0", 1234567.4, "1,234,567"},
		{"#,##0.00;[Red]-#,##0.00", -3200, "-3,200.00"},
		{"#,##0.00;(#,##0.00)", -3200, "(3,200.00)"},
		{"#,##0.00 [$€-407]", 12.5, "12.50 €"},
		{`"CHF" #,##0".-"`, 12, "CHF 12.-"},
		{"[$¥-804]#,##0.00", 99.999, "¥100.00"},
		{"0%", 0.256, "26%"},
		{"0.0%", 0.256, "25.6%"},
		{"#,##0,", 1_234_567, "1,235"},
		{"0.00E+00", 12345, "1.23E+04"},
		{"0.0##", 1.5, "1.5"},
		{"#.##", 0.25, ".25"},
		{"0;-0;\"none\"", 0, "none"},
		{"# ?/?", 0.75, "3/4"},
		{"# ?/?", 2.5, "2 1/2"},
		{"# ??/16", 0.25, "4/16"},
		{"# ?/?", 3, "3"},
		{`0 "pieces"`, 4, "4 pieces"},
		{`0\ \k\g`, 4, "4 kg"},
		{"@", 4, "4"},
		{"yyyy-mm-dd", 46034, "2026-01-12"},
		{"dd.mm.yyyy", 46034, "12.01.2026"},
		{"d mmm yy", 46034, "12 Jan 26"},
		{"dddd, mmmm d", 46034, "Monday, January 12"},
		{`yyyy"年"m"月"d"日"`, 46034, "2026年1月12日"},
		{"h:mm AM/PM", 0.75, "6:00 PM"},
		{"hh:mm:ss", 0.5 + 1.0/86400, "12:00:01"},
		{"[h]:mm", 1.5, "36:00"},
		{"mm:ss.0", 61.5 / 86400, "01:01.5"},
		{"yyyy-mm-dd hh:mm", 46034.999999, "2026-01-13 00:00"},
		{"yyyy-mm-dd", 1, "1900-01-01"},
		{"yyyy-mm-dd", -1, "-1"},
	} {
		if got := parseFormat(test.code).show(test.n, false); got != test.want {
			t.Errorf("%v as %q: %q, want %q", test.n, test.code, got, test.want)
		}
	}
	if got := parseFormat("yyyy-mm-dd").show(0, true); got != "1904-01-01" {
		t.Errorf("counted from 1904: %q", got)
	}
}

func TestDOC01_ListsAreCounted(t *testing.T) {
	for _, test := range []struct {
		format string
		n      int
		want   string
	}{
		{"decimal", 12, "12"},
		{"lowerLetter", 3, "c"},
		{"upperLetter", 28, "BB"},
		{"lowerRoman", 14, "xiv"},
		{"upperRoman", 1999, "MCMXCIX"},
		{"decimalZero", 7, "07"},
		{"chineseCounting", 10, "十"},
		{"chineseCounting", 21, "二十一"},
		{"chineseCounting", 105, "一百零五"},
		{"chineseCounting", 111, "一百一十一"},
		{"chineseCounting", 2026, "二千零二十六"},
	} {
		if got := formatCount(test.n, test.format); got != test.want {
			t.Errorf("%d as %s: %q, want %q", test.n, test.format, got, test.want)
		}
	}
	list := &countedList{}
	list.levels[0] = listLevel{format: "decimal", text: "Article %1.", start: 1}
	list.levels[1] = listLevel{format: "decimal", text: "%1.%2", start: 1}
	list.levels[2] = listLevel{format: "lowerLetter", text: "(%3)", start: 1}
	got := ""
	for _, level := range []int{0, 1, 1, 2, 2, 0, 1, 2} {
		got += list.next(level) + "| "
	}
	if want := "Article 1. | 1.1 | 1.2 | (a) | (b) | Article 2. | 2.1 | (a) | "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
