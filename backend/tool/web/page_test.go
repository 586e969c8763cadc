package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/tool/tooltest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	textunicode "golang.org/x/text/encoding/unicode"
)

// sent is an answer of the test's server.
type sent struct {
	kind   string
	body   string
	status int
}

// serving returns the tool with a server that gives these answers by path.
func serving(t *testing.T, answers map[string]sent) *getter {
	return open(t, func(w http.ResponseWriter, r *http.Request) {
		answer := answers[r.URL.Path]
		w.Header()["Content-Type"] = nil
		if answer.kind != "" {
			w.Header().Set("Content-Type", answer.kind)
		}
		if len(answer.body) < 100_000 {
			w.Header().Set("Content-Length", fmt.Sprint(len(answer.body)))
		}
		if answer.status != 0 {
			w.WriteHeader(answer.status)
		}
		_, _ = io.WriteString(w, answer.body)
	})
}

func TestTextIsReturnedAndOtherKindsAreNamed(t *testing.T) {
	const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	for i, test := range []struct {
		kind, body string
		want       string
		refused    string
	}{
		{"text/plain", "a", "a", ""},
		{"TEXT/CSV; header=present", "a,b", "a,b", ""},
		{"application/json", `{"a": 1}`, `{"a": 1}`, ""},
		{"application/ld+json", "{}", "{}", ""},
		{"application/problem+json; charset=utf-8", "{}", "{}", ""},
		{"image/svg+xml", "<svg/>", "<svg/>", ""},
		{"application/xml", "<a/>", "<a/>", ""},
		{"application/javascript", "x()", "x()", ""},
		{"application/x-javascript", "x()", "x()", ""},
		{"application/x-yaml", "a: b", "a: b", ""},
		{"application/toml", "a = 1", "a = 1", ""},
		{"text/html", "<p>a<p>b", "a\n\nb", ""},
		{"application/xhtml+xml", "<p>a</p><p>b</p>", "a\n\nb", ""},
		{"text/plain; charset", "a", "a", ""},
		{"", "plain", "plain", ""},
		{"", "<!DOCTYPE html><p>a", "a", ""},
		{"nonsense", "plain", "plain", ""},
		{"application/octet-stream", "plain", "plain", ""},
		{"text/" + strings.Repeat("x", 1000), "plain", "plain", ""},

		{"image/png", png, "", "is image/png, 16 bytes; http_get returns text only"},
		{"image/png", strings.Repeat("x", 12_345), "", "is image/png, 12,345 bytes"},
		{"application/pdf", "%PDF", "", "is application/pdf, 4 bytes"},
		{"application/zip", strings.Repeat("x", 3_000_000), "", "is application/zip, of unknown size"},
		{"", png, "", "is image/png, 16 bytes"},
		{"", png + strings.Repeat("\x00", 2<<20), "", "is image/png, over 1,048,576 bytes"},
		{"application/octet-stream", "\x00\x01\x02", "", "is application/octet-stream, 3 bytes"},
		{"text/plain", "a\x00b", "", "is text/plain that holds NUL characters, 3 bytes"},
		{"text/html", "<p>a\x00b", "", "is text/html that holds NUL characters"},
		{"multipart/form-data", "x", "", "is multipart/form-data, 1 bytes"},
	} {
		path := fmt.Sprintf("/%d", i)
		g := serving(t, map[string]sent{path: {kind: test.kind, body: test.body}})
		result := tooltest.Run(t.Context(), g, input("http://site.test"+path))
		if test.refused != "" {
			wantFailure(t, result, message.UnsupportedFile, test.refused)
			if result.Content.Text() != "" {
				t.Errorf("%s: content %.100q", test.kind, result.Content.Text())
			}
			continue
		}
		if _, text, _ := strings.Cut(result.Content.Text(), "\n\n"); text != test.want || !result.Success() || len(result.Content.Text()) > 200 {
			t.Errorf("%s: got %.200q, want %q", test.kind, result.Text(), test.want)
		}
	}
}

func TestDSP04_StatusDecides(t *testing.T) {
	g := serving(t, map[string]sent{
		"/404": {"text/html", "<h1>Not here</h1>", 404},
		"/500": {"application/json", `{"error": 1}`, 500},
		"/403": {"image/png", "x", 403},
		"/299": {"text/plain", "fine", 299},
		"/599": {"", "", 599},
		"/304": {"", "", 304},
	})
	for path, want := range map[string]string{
		"/404": "HTTP_ERROR: status 404 Not Found\nhttp://site.test/404 (404, text/html)\n\n# Not here",
		"/500": "HTTP_ERROR: status 500 Internal Server Error\nhttp://site.test/500 (500, application/json)\n\n{\"error\": 1}",
		"/403": "HTTP_ERROR: status 403 Forbidden",
		"/299": "http://site.test/299 (299, text/plain)\n\nfine",
		"/599": "HTTP_ERROR: status 599\nhttp://site.test/599 (599, empty)",
		"/304": "HTTP_ERROR: status 304 Not Modified\nhttp://site.test/304 (304, empty)",
	} {
		result := tooltest.Run(t.Context(), g, input("http://site.test"+path))
		if got := result.Text(); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
		if data := result.Data; data == nil || fmt.Sprint("/", data.HTTPStatus) != path {
			t.Errorf("%s: data %v", path, result.Data)
		}
	}
}

const (
	chinese  = "北京大学历史学系成立于一八九九年，是中国高等学校中最早建立的史学教育单位之一。欢迎报考本系研究生。"
	taiwan   = "國立臺灣大學歷史學系成立於民國三十四年，歡迎報考本系研究所。今天的天氣很好，我們一起去學校。"
	russian  = "Московский университет был основан в тысяча семьсот пятьдесят пятом году и носит имя Ломоносова."
	japan    = "東京大学は日本で最初に設立された大学です。ようこそいらっしゃいませ。学生の皆さんはこちらをご覧ください。"
	korea    = "서울대학교는 대한민국의 국립 대학교입니다. 오늘은 날씨가 좋아서 학교에 갑니다."
	german   = "Die Universität zu Köln wurde im Jahre 1388 gegründet; schöne Grüße an alle Fußgänger über den Brücken."
	smartEnd = "It’s “quoted” – naïve café, €5"
)

func in(t *testing.T, e encoding.Encoding, text string) string {
	t.Helper()
	encoded, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func TestTOOL04_EveryEncodingComesOutAsUTF8(t *testing.T) {
	gbk, gb18030, latin := simplifiedchinese.GBK, simplifiedchinese.GB18030, charmap.Windows1252
	little := textunicode.UTF16(textunicode.LittleEndian, textunicode.UseBOM)
	big := textunicode.UTF16(textunicode.BigEndian, textunicode.UseBOM)
	page := func(head, text string) string {
		return "<html><head>" + head + "<title>x</title></head><body><h1>" + text + "</h1></body></html>"
	}
	for name, test := range map[string]struct{ kind, body, want string }{
		"declared gbk":                  {"text/plain; charset=gbk", in(t, gbk, chinese), chinese},
		"declared GB2312":               {"text/plain; charset=\"GB2312\"", in(t, gbk, chinese), chinese},
		"undeclared gbk":                {"text/plain", in(t, gbk, chinese), chinese},
		"undeclared short gbk":          {"text/plain", in(t, gbk, "欢迎报考本系研究生"), "欢迎报考本系研究生"},
		"undeclared gb18030":            {"text/plain", in(t, gb18030, chinese+"𠮷"), chinese + "𠮷"},
		"undeclared gbk page":           {"text/html", page("<script charset=utf-8 src=x></script>", in(t, gbk, chinese)), chinese},
		"gbk page by meta":              {"text/html", page("<meta charset='gbk'>", in(t, gbk, chinese)), chinese},
		"short gbk page by meta":        {"text/html", page("<meta charset='gbk'>", in(t, gbk, "目")), "目"},
		"gbk page by http-equiv":        {"text/html", page("<META http-equiv=Content-Type content=\"text/html; charset=gb2312\">", in(t, gbk, chinese)), chinese},
		"gbk page, meta after 2 KB":     {"text/html", page("<style>"+strings.Repeat("a{}\n", 500)+"</style><meta charset=gbk>", in(t, gbk, chinese)), chinese},
		"gbk xml":                       {"application/xml", `<?xml version="1.0" encoding="GBK"?>` + in(t, gbk, chinese), `<?xml version="1.0" encoding="GBK"?>` + chinese},
		"server over meta":              {"text/html; charset=utf-8", page("<meta charset=gbk>", chinese), chinese},
		"big5 by meta":                  {"text/html", page("<meta charset=big5>", in(t, traditionalchinese.Big5, taiwan)), taiwan},
		"undeclared big5":               {"text/plain", in(t, traditionalchinese.Big5, taiwan), taiwan},
		"undeclared shift-jis":          {"text/plain", in(t, japanese.ShiftJIS, japan), japan},
		"undeclared euc-jp":             {"text/plain", in(t, japanese.EUCJP, japan), japan},
		"undeclared euc-kr":             {"text/plain", in(t, korean.EUCKR, korea), korea},
		"undeclared windows-1251":       {"text/plain", in(t, charmap.Windows1251, russian), russian},
		"undeclared windows-1252":       {"text/plain", in(t, latin, german), german},
		"undeclared few marks":          {"text/plain", in(t, latin, smartEnd), smartEnd},
		"declared latin1 is 1252":       {"text/html; charset=iso-8859-1", page("", in(t, latin, smartEnd)), smartEnd},
		"latin1 by meta":                {"text/html", page("<meta charset=iso-8859-1>", in(t, latin, german)), german},
		"utf-8 undeclared":              {"text/plain", chinese, chinese},
		"utf-8 with mark":               {"text/plain", "\xef\xbb\xbf" + chinese, chinese},
		"utf-8 mark over server":        {"text/plain; charset=gbk", "\xef\xbb\xbf" + chinese, chinese},
		"utf-8 in json":                 {"application/json", `"` + chinese + `"`, `"` + chinese + `"`},
		"utf-16 little endian":          {"text/plain", in(t, little, chinese), chinese},
		"utf-16 big endian":             {"text/html", in(t, big, page("", chinese)), chinese},
		"utf-16 declared, without mark": {"text/plain; charset=utf-16le", in(t, little, chinese)[2:], chinese},
		"utf-16 by meta is a lie":       {"text/html", page("<meta charset=utf-16>", chinese), chinese},
		"unknown name":                  {"text/plain; charset=klingon", chinese, chinese},
		"unknown name, gbk":             {"text/plain; charset=klingon", in(t, gbk, chinese), chinese},
		"invalid utf-8":                 {"text/plain; charset=utf-8", "a\xffb", "a\uFFFDb"},
		"replacement":                   {"text/plain; charset=iso-2022-kr", "abc", "\uFFFD"},
		"controls":                      {"text/plain", "a\x1b[31mb\x07c\u0085d\te\rf\r\ng\x7f", "a[31mbcd\te\nf\ng"},
		"controls as entities":          {"text/html", "a&#7;b&#27;c&#x85;d", "abc…d"},
	} {
		g := serving(t, map[string]sent{"/": {kind: test.kind, body: test.body}})
		got := strings.TrimPrefix(get(t, g, "http://site.test/"), "# ")
		if got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
		if !utf8.ValidString(got) {
			t.Errorf("%s: no valid UTF-8", name)
		}
	}
}

func TestTOOL04_LongPageIsKeptWhole(t *testing.T) {
	var page strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&page, "<p>line %d 目</p>", i)
	}
	g := serving(t, map[string]sent{"/": {kind: "text/html; charset=utf-8", body: page.String()}})
	result := tooltest.Run(t.Context(), g, input("http://site.test/"))
	if n := utf8.RuneCountInString(result.Content.Text()); !result.Success() || !result.Truncated || n > 32_000 || n < 31_000 {
		t.Errorf("error %v, truncated %v, %d characters", result.Error, result.Truncated, n)
	}
	for _, want := range []string{
		"http://site.test/ (200, text/html)\n\nline 0 目\n\nline 1 目\n",
		`characters left out: read the whole text with read_file path "output:call-1" …]`, "\n\nline 9999 目",
	} {
		if !strings.Contains(result.Content.Text(), want) {
			t.Errorf("the result does not hold %q", want)
		}
	}
	file, err := g.outputs.OpenFile("output:call-1")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(file)
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(whole), "line "); n != 10_000 || !strings.HasPrefix(string(whole), "http://site.test/ (200, text/html)\n\nline 0 目\n") {
		t.Errorf("%d lines are kept", n)
	}

	if err := g.outputs.Remove(); err != nil {
		t.Fatal(err)
	}
	result = tooltest.Run(t.Context(), g, input("http://site.test/"))
	if !result.Success() || !strings.Contains(result.Content.Text(), "left out and not kept: ") || strings.Contains(result.Content.Text(), "read_file") {
		t.Errorf("error %v, content without the reason", result.Error)
	}
}

func TestTOOL04_PageOfTooManyPartsSaysSo(t *testing.T) {
	g := serving(t, map[string]sent{"/": {kind: "text/html", body: strings.Repeat("<p>a", 100_000)}})
	result := tooltest.Run(t.Context(), g, input("http://site.test/"))
	if want := "[notice: the page has more parts than are shown; what follows is left out]"; !strings.HasSuffix(result.Content.Text(), want) || !result.Truncated {
		t.Errorf("got %.300q", result.Content.Text())
	}
	g = serving(t, map[string]sent{"/": {kind: "text/html", body: "<script>write()</script>"}})
	result = tooltest.Run(t.Context(), g, input("http://site.test/"))
	want := "http://site.test/ (200, text/html)\n[notice: the page holds no text; its scripts, which are not run, may write some]"
	if result.Content.Text() != want {
		t.Errorf("got %q", result.Content.Text())
	}
}

func TestTOOL04_CutCharacterLeavesNoMark(t *testing.T) {
	for _, space := range []int{1, 2, 3} {
		g := serving(t, map[string]sent{"/": {kind: "text/plain", body: strings.Repeat("a", maxBody-space) + strings.Repeat("目", 3)}})
		result := tooltest.Run(t.Context(), g, input("http://site.test/"))
		want := "a" + strings.Repeat("目", space/3) + "\n[notice: the page is longer than"
		if !result.Success() || !strings.Contains(result.Content.Text(), want) {
			t.Errorf("error %v, content ends in %q", result.Error, result.Content.Text()[len(result.Content.Text())-200:])
		}
	}
}
