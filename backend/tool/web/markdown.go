package web

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

// toMarkdown turns HTML that came from the address at into Markdown, with its title
// first where it has no heading of its own. It stops early when ctx ends. It is whole
// if nothing was left out for being too much.
func toMarkdown(ctx context.Context, page string, at *url.URL) (text string, whole bool) {
	root, title, whole := growTree(ctx, page, at)
	tameTables(root)
	out, err := newConverter().ConvertNode(root, converter.WithContext(ctx))
	if err != nil {
		// Only a wrong set of plugins has one.
		panic(err)
	}
	if title != "" {
		out = bytes.TrimSpace(append([]byte("# "+title+"\n\n"), out...))
	}
	if len(out) > maxText {
		out, whole = out[:maxText], false
	}
	return shown.Replace(strings.ToValidUTF8(string(out), "")), whole
}

// The library writes < and > of a text as entities, but leaves entities that the text
// shows as they are. Characters that stand for nothing (Unicode, section 23.7) carry
// them through.
var (
	hidden = strings.NewReplacer("<", "\uFDD0", ">", "\uFDD1")
	shown  = strings.NewReplacer("\uFDD0", "<", "\uFDD1", ">")
)

// newConverter returns a converter for a tree of grow.
//
// Nothing is escaped: a model reads the text as it is, and finding out what needs a
// backslash takes the library minutes for a page of brackets.
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
