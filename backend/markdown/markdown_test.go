package markdown

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// at is where the pages of the tests come from.
var at = &url.URL{Scheme: "https", Host: "site.test", Path: "/dir/page", RawQuery: "q=1"}

func TestHTMLBecomesMarkdown(t *testing.T) {
	for name, test := range map[string]struct{ page, want string }{
		"title first":       {"<title> The\n title &amp; more</title><body><p>text", "# The title & more\n\ntext"},
		"no second heading": {"<title>Title</title><body><h1>Heading</h1>", "# Heading"},
		"empty heading":     {"<title>Title</title><h1><img src=a alt=''></h1><p>text", "# Title\n\ntext"},
		"title of a drawing": {
			"<svg><title>drawn</title><text>x</text></svg><title>Title</title><svg/><p>text", "# Title\n\ntext",
		},
		"only the first title":  {"<title>one</title><title>two</title>text", "# one\n\ntext"},
		"title without its end": {"<title>" + strings.Repeat("a", 1000), "# " + strings.Repeat("a", maxTitle)},
		"left out": {
			`<head><style>p{}</style><script>a<b</script><link href=x></head><!-- c --><p>text<noscript>n</noscript>` +
				`<template><p>t</template><iframe>i</iframe><select><option>o</select><textarea>a</textarea><p>end`,
			"text\n\nend",
		},
		"paragraphs":         {"<p>a\n b<p>c</p>d<div>e<div>f</div>g</div>", "a b\n\nc\n\nd\n\ne\n\nf\n\ng"},
		"breaks":             {"a<br>b<hr>c", "a  \nb\n\n* * *\n\nc"},
		"headings":           {"<h1>C#</h1><h2>a<br>b</h2><h3>#</h3><h6>x<h6>y", "# C#\n\n## a b\n\n### #\n\n###### x\n\n###### y"},
		"emphasis":           {"<b>a</b> <strong>b <i>c</i></strong> <del>d</del><u>e</u>", "**a** **b *c*** ~~d~~e"},
		"emphasis in itself": {"<b>a<b>b</b>c</b>d", "**abc**d"},
		"crossed tags":       {"<b>1<p>2</b>3</p>4", "**1**\n\n**23**\n\n**4**"},
		"lists": {
			"<ul><li>a<li>b<ol start=3><li>c</li><li>d</ol></li></ul><p>e",
			"- a\n- b\n  \n  3. c\n  4. d\n\ne",
		},
		"stray end":         {"<ul><li>a<ul></li><li>b</ul><li>c</ul>", "- a\n  \n  - b\n- c"},
		"item without list": {"<li>a<li>b", "a\n\nb"},
		"definitions":       {"<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\n\nb\n\nc\n\nd"},
		"quotation":         {"<blockquote><p>a<p>b</blockquote>c", "> a\n> \n> b\n\nc"},
		"code":              {"<p>x <code>a  *b* <b>c</b></code> y", "x `a *b* c` y"},
		"block of code": {
			"<pre class='x lang-c'>\r\n a &lt; b\n\n\tc</pre><pre><code class='language-go'>x := 1\n</code></pre>",
			"```c\n a < b\n\n\tc\n```\n\n```go\nx := 1\n```",
		},
		"lines of code in parts": {"<div><pre><div>a</div><div>b<br>c</div></pre><p>d</div>e", "```\na\nb\nc\n```\n\nd\n\ne"},
		"links": {
			"<a href=/x?b=a/c+d&amp;e=(1)>a</a> <a href='//other.test/ b'>b</a> <a href=?q=2>c</a> <a href=mailto:a@b.test>d</a>",
			"[a](https://site.test/x?b=a/c+d&e=%281%29) [b](https://other.test/%20b) [c](https://site.test/dir/page?q=2) [d](mailto:a@b.test)",
		},
		"links that lead nowhere": {
			"<a href=#part>a</a> <a>b</a> <a name=x>c <a href=javascript:x()>d</a> <a href=data:text/html,x>e</a> <a href='http://['>f</a> <a href=x></a>",
			"a b c d e f",
		},
		"link in a link":  {"<a href=a>a<a href=b>b</a>", "[a](https://site.test/dir/a)[b](https://site.test/dir/b)"},
		"card":            {"<a href=x><h3>Title</h3><p>text</p></a>", "[**Title** text](https://site.test/dir/x)"},
		"base":            {"<base href=/other/><base href=/third/><a href=x>a</a>", "[a](https://site.test/other/x)"},
		"base of a trick": {"<base href='javascript:'><a href=x>a</a>", "[a](https://site.test/dir/x)"},
		"images": {
			"<img src=a.png alt='a  picture'> <img src=b.png alt=''> <img src=c.png> <img src=data:image/png;base64,AAAA alt=d>",
			"![a picture](https://site.test/dir/a.png) ![](https://site.test/dir/c.png) d",
		},
		"powers":     {"10<sup>6</sup>", "10^6"},
		"signs":      {"Vec&lt;T&gt; a > b &amp;lt; * _ [x] # 1. \\", "Vec<T> a > b &lt; * _ [x] # 1. \\"},
		"no escapes": {"<p># not<p>- a<p>1. b<p>**c**", "# not\n\n- a\n\n1. b\n\n**c**"},
		"entities":   {"&eacute;&#30446;&#x1F642;&nbsp;&bogus;&#0;", "é目🙂\u00a0&bogus;\uFFFD"},
		"nothing":    {"<script>write()</script>", ""},
	} {
		got, whole := FromHTML(t.Context(), test.page, at)
		if diff := cmp.Diff(test.want, got); diff != "" || !whole {
			t.Errorf("%s: whole %v, %s", name, whole, diff)
		}
	}
}

func TestDOC04_WhatIsRenderedIsEscaped(t *testing.T) {
	for name, test := range map[string]struct{ page, want string }{
		"signs": {
			"<p>Vec&lt;T&gt; &amp;lt; *a* _b_ `c` [d](e) ~f~ \\ # ! | 1. - + =",
			"Vec&#60;T&#62; &#38;lt; &#42;a&#42; &#95;b&#95; &#96;c&#96; &#91;d&#93;(e) &#126;f&#126; &#92; &#35; &#33; &#124; 1. - + =",
		},
		"starts":       {"<p># a<p>- b<p> 12) c<p>1. d<p>e<br>===<p>2020 f", "&#35; a\n\n&#45; b\n\n12&#41; c\n\n1&#46; d\n\ne  \n&#61;==\n\n2020 f"},
		"own meaning":  {"<h2>a</h2><ul><li>b</ul><b>c</b> <a href=https://site.test/a_b>d!</a>", "## a\n\n- b\n\n**c** [d&#33;](https://site.test/a_b)"},
		"code":         {"<code>a<b>*</code><pre>x < y *z*</pre>", "`a*`\n\n```\nx < y *z*\n```"},
		"image":        {"<img src=https://site.test/a.png alt='[a]'><img src=https://site.test/b.png>", "&#91;a&#93;"},
		"table":        {"<table><tr><td>a|b<td>*<tr><td>1<td>2</table>", "| a&#124;b | &#42; |\n|---|---|\n| 1 | 2 |"},
		"title":        {"<title>a *b*</title><p>c<code>", "# a &#42;b&#42;\n\nc"},
		"own carriers": {"\uFDD2\uFDD0", "&#60;<"},
	} {
		got, whole := Escaped(t.Context(), test.page)
		if diff := cmp.Diff(test.want, got); diff != "" || !whole {
			t.Errorf("%s: whole %v, %s", name, whole, diff)
		}
	}
}

func TestTablesBecomeMarkdown(t *testing.T) {
	for name, test := range map[string]struct{ page, want string }{
		"plain": {
			"<table><caption>C</caption><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
			"| a | b |\n|---|---|\n| 1 | 2 |\n\nC",
		},
		"ends left out": {"<table><tr><th>a<th>b<tr><td>1<td>2</table>c", "| a | b |\n|---|---|\n| 1 | 2 |\n\nc"},
		"heads at the side": {
			"<table><tr><td>a<td>b<tr><th>c<td>d</table>", "| a | b |\n|---|---|\n| c | d |",
		},
		"what ends cells": {"<table><tr><td>a|b<td>c<br>d<p>e</p><tr><td><code>|</code></table>", "| a\\|b | c  <br />d<br /><br />e |\n|---|---|\n| `\\|` |  |"},
		"merged cells":    {"<table><tr><td colspan=2>a<td rowspan=2>b<tr><td>c<td>d</table>", "| a |  | b |\n|---|---|---|\n| c | d |  |"},
		"text between":    {"<table>a<tr>b<td>c</td>d<b>e</b></tr></table>f", "abde\n\n| c |\n|---|\n\nf"},
		"no row":          {"<table><td>a<td>b</table>", "| a | b |\n|---|---|"},
		"cell in no row":  {"<table><tr><td>r<td>s</tr><form><td>a<td>b</form></table>", "r s\n\na b"},
		"stray end":       {"<div><table><tr><td>a</div>b</td></tr></table></div>", "| ab |\n|---|"},
		"cells alone":     {"<td>a<td>b", "a\n\nb"},
		"table in table": {
			"<table><tr><td>x<table><tr><td>a<td>b</table><td>y<td>z</table>", "x\n\n| a | b |\n|---|---|\n\ny z",
		},
		"list in table":      {"<table><tr><td>a<td>b<tr><td><ul><li>c</ul><td>d</table>", "a b\n\n- c\n\nd"},
		"code in table":      {"<table><tr><td><pre>a\nb</pre></table>", "```\na\nb\n```"},
		"table in emphasis":  {"<b><table><tr><td>a<td>b</table></b>", "**a b**"},
		"cell of a giant":    {"<table><tr><td colspan=9999 rowspan=9999>a<td>b</table>", "| a | b |\n|---|---|"},
		"number of a giant":  {"<table><tr><td colspan=999999999999>a<td colspan=-1>b</table>", "| a | b |\n|---|---|"},
		"rows unlike others": {"<table><tr>" + strings.Repeat("<td>a", 100) + strings.Repeat("<tr><td>b", 100) + "</table>", strings.TrimSpace(strings.Repeat("a ", 100)) + strings.Repeat("\n\nb", 100)},
	} {
		got, whole := FromHTML(t.Context(), test.page, at)
		if diff := cmp.Diff(test.want, got); diff != "" || !whole {
			t.Errorf("%s: whole %v, %s", name, whole, diff)
		}
	}
}

// hostileSize is how long the hostile pages are, bytes: long enough to tell a cost that
// grows with the square of it.
const hostileSize = 64 << 10

// full is part, written again and again.
func full(part string) string { return strings.Repeat(part, hostileSize/len(part)) }

// hostile are pages that take a careless converter minutes or gigabytes.
func hostile() map[string]string {
	var emphases strings.Builder
	for i := range 400 {
		fmt.Fprintf(&emphases, "<b a=%d>", i)
	}
	deep := func(open string) string { return strings.Repeat(open, 200) }
	return map[string]string{
		"brackets":         full("["),
		"backticks":        full("`"),
		"entities":         full("&gt;"),
		"lines":            full("1<br>"),
		"repeated":         "<p>" + emphases.String() + full("</p><p>x"),
		"open emphasis":    full("<b><i>"),
		"emphasised lines": "<b><i><del>" + full("x<br>"),
		"nested emphasis":  "<i>" + full("<i>a</i>"),
		"texts":            full("a<script></script>"),
		"ends":             deep("<div>") + full("</i>"),
		"quotations":       deep("<blockquote>") + full("x<br>"),
		"numbered lists":   deep("<ol start=999999999><li>") + full("x<br>"),
		"code in lists":    deep("<ul><li>") + "<pre>" + full("\n"),
		"short lists":      full("<ul><li>a</ul>"),
		"tables":           full("<table><tr><td>"),
		"tables in tables": full("<table><tr><td><table><tr><td>a</table></table>"),
		"giant cells":      "<table>" + full("<td colspan=9999 rowspan=9999>a"),
		"large cells":      full("<table><td colspan=14 rowspan=14>a</table>"),
		"ragged rows":      "<table><tr>" + full("<td>")[:hostileSize/2] + full("<tr><td>")[:hostileSize/2],
		"ragged tables":    full("<table><tr>" + strings.Repeat("<td>", 60) + strings.Repeat("<tr><td>", 30) + "</table>"),
		"links":            full("<a href=x>a</a>"),
		"long base":        "<base href='http://site.test/" + strings.Repeat("y/", 900) + "'>" + full("<a href=x>a</a>"),
		"images":           full("<img src=x alt=a>"),
		"attributes":       "<p " + full("a=1 "),
		"bodies":           full("<body a>"),
		"headings":         full("<h1><h2>"),
		"cells":            "<table>" + full("<td>a"),
		"less":             full("<"),
		"comments":         full("<!--"),
		"elements":         full("<p>"),
	}
}

func TestTOOL04_TreeIsBounded(t *testing.T) {
	const deepest, widest = 300, 101_000
	deep, _, _ := (&grower{base: at}).growTree(t.Context(), strings.Repeat("<div>", 10_000)+"x")
	depth := 0
	for n := deep; n != nil; n = n.FirstChild {
		depth++
	}
	if depth > deepest {
		t.Errorf("the tree is %d deep", depth)
	}
	wide, _, whole := (&grower{base: at}).growTree(t.Context(), strings.Repeat("<p>a", widest))
	nodes := 0
	for range wide.Descendants() {
		nodes++
	}
	if whole || nodes > widest {
		t.Errorf("the tree has %d nodes, whole %v", nodes, whole)
	}
}

func TestCAN01_ConversionEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, _ := FromHTML(ctx, "<title>a</title><p>b", at); got != "" {
		t.Errorf("got %q", got)
	}
}

func FuzzText(f *testing.F) {
	for name, page := range hostile() {
		f.Add("", name+page[:400])
	}
	f.Add("gbk", "<table><tr><td colspan=2>a|b<td rowspan=3><ul><li>x<pre>y<b>z</table><h1>#")
	f.Add("", "<meta charset=utf-16le>a<p>b")
	f.Add("", "\xff\xfea\x00")
	f.Add("", "\xb1\xb1\xbe\xa9")
	f.Fuzz(func(t *testing.T, charset, body string) {
		text, _ := FromHTML(t.Context(), Decode([]byte(body), charset), at)
		text = Clean(text)
		if !utf8.ValidString(text) {
			t.Errorf("no valid UTF-8: %q", text)
		}
		if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0) }) {
			t.Errorf("control characters: %q", text)
		}
		// Every byte may be a link or an image, which is written with its whole address.
		if most := 20_000 + 200*len(body); len(text) > most {
			t.Errorf("%d bytes became %d", len(body), len(text))
		}
	})
}
