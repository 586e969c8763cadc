package markdown

import (
	"strings"

	"golang.org/x/net/html"
)

const (
	// maxStart is the length of the number that a list may begin with, digits.
	maxStart = 9
	// maxSpan is the same of the rows or columns that a cell goes over.
	maxSpan = 4
)

// setLanguage notes which one a block of code is in, where its class tells.
func (g *grower) setLanguage(class string) {
	for name := range strings.FieldsSeq(class) {
		_, language, found := strings.Cut(name, "lang")
		language = strings.TrimPrefix(strings.TrimPrefix(language, "uage"), "-")
		if found && language != "" && len(language) < 20 && g.current.Data == "pre" && len(g.current.Attr) == 0 {
			g.current.Attr = []html.Attribute{{Key: "class", Val: "language-" + language}}
		}
	}
}

// writeImage writes an image that is there for more than its looks.
func (g *grower) writeImage(attributes map[string]string) {
	text, described := attributes["alt"]
	text = strings.Join(strings.Fields(text), " ")
	if described && text == "" {
		return
	}
	if address := g.absoluteAddress(attributes["src"]); address != "" && !g.escape {
		text = "![" + text + "](" + address + ")"
	}
	g.write(text)
}

// setBase notes what relative addresses of the page are relative to.
func (g *grower) setBase(href string) {
	u, err := g.base.Parse(strings.TrimSpace(href))
	if g.based || err != nil || len(href) > maxAddress || u.Scheme != "http" && u.Scheme != "https" {
		return
	}
	g.base, g.based = u, true
}

// absoluteAddress is the whole address that a link leads to, as it is written in Markdown;
// empty for none that leads anywhere else.
func (g *grower) absoluteAddress(href string) string {
	href = strings.TrimSpace(href)
	if href == "" || href[0] == '#' || len(href) > maxAddress || g.links > maxLinks {
		return ""
	}
	u, err := g.base.Parse(href)
	if err != nil {
		return ""
	}
	switch u.Scheme {
	case "http", "https", "ftp", "mailto", "tel":
	default:
		return ""
	}
	address := inMarkdown.Replace(u.String())
	g.links += len(address)
	if len(address) > maxAddress {
		return ""
	}
	return address
}

// inMarkdown writes what would end an address there.
var inMarkdown = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E")

// isBelieved reports whether an attribute goes into the tree.
func isBelieved(name, key, value string) bool {
	digits := strings.Trim(value, "0123456789") == "" && value != ""
	switch key {
	case "href":
		return name == "a"
	case "start":
		return name == "ol" && digits && len(value) <= maxStart
	case "colspan", "rowspan":
		return name == "td" && digits && len(value) <= maxSpan
	default:
		return false
	}
}
