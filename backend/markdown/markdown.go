// Package markdown turns pages of HTML into Markdown, for a model or a renderer, within bounds
// of memory and time whatever the page is. A page's tree is grown from its tags (tree.go,
// tags.go) and then, for its tables, made such as Markdown can show (grid.go). What its text
// means in Markdown is kept apart from that (signs.go).
package markdown

import (
	"bytes"
	"context"
	"net/url"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// maxText is the length of the longest text that a page is turned into, bytes.
const maxText = 1 << 20

// FromHTML turns HTML that came from an address into Markdown for a model, with its title first
// where it has no heading of its own; nil is a file, whose relative links lead nowhere. It stops
// early when ctx ends. It is whole if nothing was left out for being too much.
//
// Nothing is escaped: a model reads the text as it is.
func FromHTML(ctx context.Context, page string, at *url.URL) (text string, whole bool) {
	if at == nil {
		at = &url.URL{}
	}
	return convert(ctx, page, &grower{base: at})
}

// Escaped is FromHTML of a file for a renderer of Markdown, which then shows each sign of the
// page's text as it is. Of images there is what describes them.
func Escaped(ctx context.Context, page string) (text string, whole bool) {
	return convert(ctx, page, &grower{base: &url.URL{}, escape: true})
}

func convert(ctx context.Context, page string, g *grower) (text string, whole bool) {
	root, title, whole := g.growTree(ctx, page)
	tameTables(root)
	out, err := newConverter().ConvertNode(root, converter.WithContext(ctx))
	if err != nil {
		// Only a wrong set of plugins has one.
		panic(err)
	}
	if title != "" {
		out = bytes.TrimSpace(append([]byte("# "+g.plain(title)+"\n\n"), out...))
	}
	if len(out) > maxText {
		out, whole = out[:maxText], false
	}
	return shown.Replace(strings.ToValidUTF8(string(out), "")), whole
}

// newConverter returns a converter for a tree of grow.
//
// It escapes nothing itself: finding out what needs a backslash takes it minutes for a page
// of brackets.
func newConverter() *converter.Converter {
	c := converter.NewConverter(
		converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(
			base.NewBasePlugin(),
			commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
			strikethrough.NewStrikethroughPlugin(),
			table.NewTablePlugin(
				table.WithHeaderPromotion(true),
				table.WithNewlineBehavior(table.NewlineBehaviorPreserve),
				table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal),
			),
		),
	)
	c.Register.Renderer(render, converter.PriorityEarly)
	return c
}

// render writes what the library does not do well, and nothing when the time is over.
func render(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	if ctx.Err() != nil {
		return converter.RenderSuccess
	}
	switch n.Data {
	case "a":
		// The library would write the address anew, with other escapes in its query.
		if text := oneLine(ctx, n); text != "" {
			_, _ = w.WriteString("[" + text + "](" + n.Attr[0].Val + ")")
		}
	case "h1", "h2", "h3", "h4", "h5", "h6":
		// The library would take the last but one character of C# for an escape.
		if text := oneLine(ctx, n); text != "" {
			_, _ = w.WriteString("\n\n" + strings.Repeat("#", int(n.Data[1]-'0')) + " " + text + "\n\n")
		}
	default:
		return converter.RenderTryNext
	}
	return converter.RenderSuccess
}

// oneLine is what n holds, on one line.
func oneLine(ctx converter.Context, n *html.Node) string {
	var text bytes.Buffer
	ctx.RenderChildNodes(ctx, &text, n)
	return strings.Join(strings.Fields(text.String()), " ")
}
