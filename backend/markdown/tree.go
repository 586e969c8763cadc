package markdown

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// maxNodes is how many parts of a page are kept.
	maxNodes = 100_000
	// maxOpen is how deep a page may be nested; deeper elements are left out, and
	// their text stays.
	maxOpen = 256
	// maxQuoted is how many lists and quotations may lie in each other: every level
	// is written again at the start of every line.
	maxQuoted = 8
	// maxLinks is how long all addresses of a page's links and images together may
	// be, bytes: a short one can stand for a long one.
	maxLinks = 1 << 20
	// maxAddress is the length of the longest address that is kept, bytes.
	maxAddress = 2048
	// maxTitle is how much of a page's title is kept, bytes.
	maxTitle = 300
	// checkEvery is after how many tokens it is looked whether the time is over.
	checkEvery = 1024
)

// role is what an element means to the text.
type role int

const (
	// through is an element that is left out while its content stays.
	through role = iota
	// silent is an element that is left out with its content.
	silent
	// paragraph, section and item are parts on lines of their own; item ends the one
	// before it.
	paragraph
	section
	item
	heading
	list
	quote
	preformatted
	grid
	row
	cell
	// emphasis, code and anchor stand inside a line.
	emphasis
	code
	anchor
)

// element says how an element of HTML goes into the tree.
type element struct {
	role role
	// name is what it is called there.
	name string
}

// elements are those that say something; all others are left through.
var elements = map[atom.Atom]element{
	atom.Script: {silent, ""}, atom.Style: {silent, ""}, atom.Template: {silent, ""}, atom.Svg: {silent, ""},
	atom.Iframe: {silent, ""}, atom.Noscript: {silent, ""}, atom.Textarea: {silent, ""}, atom.Select: {silent, ""},
	atom.Noembed: {silent, ""}, atom.Noframes: {silent, ""},

	atom.P: {paragraph, "p"}, atom.Div: {section, "div"}, atom.Section: {section, "div"}, atom.Article: {section, "div"},
	atom.Header: {section, "div"}, atom.Footer: {section, "div"}, atom.Main: {section, "div"}, atom.Nav: {section, "div"},
	atom.Aside: {section, "div"}, atom.Figure: {section, "div"}, atom.Figcaption: {section, "div"},
	atom.Address: {section, "div"}, atom.Center: {section, "div"}, atom.Form: {section, "div"},
	atom.Fieldset: {section, "div"}, atom.Legend: {section, "div"}, atom.Details: {section, "div"},
	atom.Summary: {section, "div"}, atom.Dl: {section, "div"}, atom.Hgroup: {section, "div"},
	atom.Li: {item, "li"}, atom.Dt: {item, "div"}, atom.Dd: {item, "div"},
	atom.H1: {heading, "h1"}, atom.H2: {heading, "h2"}, atom.H3: {heading, "h3"},
	atom.H4: {heading, "h4"}, atom.H5: {heading, "h5"}, atom.H6: {heading, "h6"},
	atom.Ul: {list, "ul"}, atom.Menu: {list, "ul"}, atom.Ol: {list, "ol"}, atom.Blockquote: {quote, "blockquote"},
	atom.Pre: {preformatted, "pre"}, atom.Listing: {preformatted, "pre"}, atom.Xmp: {preformatted, "pre"},

	atom.Table: {grid, "table"}, atom.Tr: {row, "tr"},
	// The first row of a table becomes its head. The library would move another one
	// that has a th there.
	atom.Td: {cell, "td"}, atom.Th: {cell, "td"}, atom.Caption: {cell, "caption"},

	atom.B: {emphasis, "strong"}, atom.Strong: {emphasis, "strong"}, atom.I: {emphasis, "em"}, atom.Em: {emphasis, "em"},
	atom.Del: {emphasis, "del"}, atom.S: {emphasis, "del"}, atom.Strike: {emphasis, "del"},
	atom.Code: {code, "code"}, atom.Kbd: {code, "code"}, atom.Samp: {code, "code"}, atom.Tt: {code, "code"},
	atom.A: {anchor, "a"},
}

// growTree reads a page into a tree of the few elements that mean something to its text,
// and returns its title if it has no heading of the first level. It is whole if the
// page does not have more parts than are kept.
//
// The parser of the standard is not used, because it makes gigabytes of a page of
// some kilobytes: it repeats every open emphasis in every paragraph.
func (g *grower) growTree(ctx context.Context, page string) (root *html.Node, title string, whole bool) {
	root = &html.Node{Type: html.DocumentNode}
	g.current = root
	tokens := html.NewTokenizer(strings.NewReader(page))
	for n := 0; g.nodes < maxNodes; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			break
		}
		kind := tokens.Next()
		if kind == html.ErrorToken {
			break
		}
		g.takeToken(kind, tokens)
	}
	g.flush()
	g.open = nil // what the page left open ends with it
	if g.headed {
		g.title = ""
	}
	return root, g.title, g.nodes < maxNodes
}

// grower is a tree while it grows.
type grower struct {
	base *url.URL
	// escape says that signs of the text are escaped.
	escape bool
	// current is where the next node goes.
	current *html.Node
	open    []opened
	nodes   int
	// links is how long the addresses written so far are, bytes.
	links int
	// text is what came since the last node.
	text strings.Builder
	// skipped is the silent element that is being left out, skips how many of its
	// name are open.
	skipped atom.Atom
	skips   int
	based   bool

	title   string
	inTitle bool
	// headed says that a heading of the first level holds something.
	headed bool
}

// opened is an element whose end did not come yet.
type opened struct {
	tag  atom.Atom
	role role
	// parent is where nodes go once this one is closed.
	parent *html.Node
	// name is that of the node; empty where the element has none.
	name string
}

// takeToken reads one token.
func (g *grower) takeToken(kind html.TokenType, tokens *html.Tokenizer) {
	switch kind {
	case html.TextToken:
		g.write(string(tokens.Text()))
	case html.EndTagToken:
		name, _ := tokens.TagName()
		g.endElement(atom.Lookup(name))
	case html.StartTagToken, html.SelfClosingTagToken:
		name, attributes := tokens.TagName()
		g.start(atom.Lookup(name), attributesOf(tokens, attributes), kind == html.SelfClosingTagToken)
	}
}

// attributesOf reads the few attributes that matter, the first of each name.
func attributesOf(tokens *html.Tokenizer, more bool) map[string]string {
	found := map[string]string{}
	for more {
		var key, value []byte
		key, value, more = tokens.TagAttr()
		switch name := string(key); name {
		case "href", "src", "alt", "class", "start", "colspan", "rowspan":
			if _, again := found[name]; !again {
				found[name] = string(value)
			}
		}
	}
	return found
}

// write adds text.
func (g *grower) write(text string) {
	switch {
	case g.skips > 0:
	case g.inTitle && g.title == "":
		g.title = strings.Join(strings.Fields(text[:min(len(text), maxTitle)]), " ")
	case g.inTitle:
	default:
		if g.current.Data == "pre" && g.current.FirstChild == nil && g.text.Len() == 0 {
			// The first line end belongs to the tag.
			text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
		}
		g.text.WriteString(text)
	}
}

// flush makes a node of the text that came since the last one. Text between the cells
// of a table belongs before the table.
func (g *grower) flush() {
	text := g.text.String()
	g.text.Reset()
	if text == "" {
		return
	}
	g.nodes++
	node := &html.Node{Type: html.TextNode, Data: g.plain(text)}
	if strings.TrimSpace(text) == "" {
		g.current.AppendChild(node)
		return
	}
	g.headed = g.headed || slices.ContainsFunc(g.open, func(o opened) bool { return o.tag == atom.H1 })
	for n := g.current; n != nil && n.Data != "td" && n.Data != "caption"; n = n.Parent {
		if n.Data == "table" {
			n.Parent.InsertBefore(node, n)
			return
		}
	}
	g.current.AppendChild(node)
}

// add adds an element and returns it.
func (g *grower) add(name string) *html.Node {
	g.flush()
	g.nodes++
	node := &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
	g.current.AppendChild(node)
	return node
}
