package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"fairlead/backend/markdown"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/publicnet"
	"fairlead/backend/tool"
)

// settleTime is how long a page of which only a part came in time may still take to
// become text.
const settleTime = 100 * time.Millisecond

// pageResult is the result of a call.
func (g *getter) pageResult(ctx context.Context, p page, callID string) message.Result {
	result := message.Result{Data: &message.ResultData{
		HTTPStatus: p.status, ContentType: p.kind, URL: p.target.URL.String(), Bytes: len(p.body),
	}}
	r, failure := p.render(ctx)
	if failure == nil {
		content, shortened := g.outputs.Shorten(callID, strings.TrimRight(p.headLine()+"\n\n"+r.text, "\n"), process.HeadLimit, process.TailLimit)
		result.Content = message.Text(tool.WithNotices(content, r.notices...))
		result.Truncated = shortened || r.partial
	}
	switch {
	case ctx.Err() != nil:
		result.Error = stoppedError(ctx)
	case p.status < 200 || p.status > 299:
		result.Error = httpError("%s", p.statusText())
	case failure != nil:
		result.Error = failure
	case p.err != nil:
		result.Error = httpError("fetch %s: %s", p.target.URL, publicnet.Reason(p.err))
	}
	return result
}

// statusText is the status in words.
func (p page) statusText() string {
	text := strings.TrimSpace(fmt.Sprintf("status %d %s", p.status, http.StatusText(p.status)))
	if isMoved(p.status) {
		text += " without an address to go to"
	}
	return text
}

// rendition is a page as text for a model.
type rendition struct {
	text    string
	notices []string
	// partial says that the text is not that of the whole page.
	partial bool
}

// addNotice notes what of the page is missing.
func (r *rendition) addNotice(notice string) {
	r.notices = append(r.notices, notice)
	r.partial = true
}

// render makes text of a page, and refuses what is none.
func (p page) render(ctx context.Context) (rendition, *message.ToolError) {
	var r rendition
	switch {
	case p.coding != "":
		return r, p.unsupportedError(fmt.Sprintf(" compressed as %.20q", p.coding))
	case p.kind != "" && !isTextual(p.kind):
		return r, p.unsupportedError("")
	}
	text := p.decode()
	if strings.ContainsRune(text, 0) {
		return r, p.unsupportedError(" that holds NUL characters")
	}
	switch {
	case p.cut:
		r.addNotice(fmt.Sprintf("the page is longer than %s bytes; what follows was not read", withCommas(maxBody)))
	case p.err != nil:
		r.addNotice("the page ended early; what follows was not received")
	}
	if !p.isMarkup() {
		r.text = markdown.Clean(text)
		return r, nil
	}
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), settleTime)
		defer cancel()
	}
	text, whole := markdown.FromHTML(ctx, text, p.target.URL)
	r.text = markdown.Clean(text)
	switch {
	case !whole:
		r.addNotice("the page has more parts than are shown; what follows is left out")
	case r.text == "":
		r.notices = append(r.notices, "the page holds no text; its scripts, which are not run, may write some")
	}
	return r, nil
}

// unsupportedError refuses what is no text.
func (p page) unsupportedError(but string) *message.ToolError {
	return &message.ToolError{
		Code:    message.UnsupportedFile,
		Message: fmt.Sprintf("%s is %s%s, %s; http_get returns text only", p.target.URL, p.kind, but, p.sizeInWords()),
	}
}
