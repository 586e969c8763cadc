package desktop

import (
	"fmt"
	"net/http"
	"strconv"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// withRefs is an event whose blocks have the address of their bytes in place of these.
func withRefs(e event.Event) event.Event {
	e.Data, _ = event.MapBlocks(e.Data, func(at int, b event.Block) (event.Block, error) { // which never fails
		b.Text, b.Data, b.Sum = "", nil, ""
		b.Ref = fmt.Sprintf("%s/blocks/%d", eventAddress(e.RunID, e.Seq), at+1)
		return b, nil
	})
	return e
}

// shownImages are the types of image that the page can show. Everything else is sent as
// bytes of no type, so that no engine takes what a tool returned for a page.
var shownImages = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// serveBlock answers with the bytes of a block of an event, or a Fault.
func (w *Window) serveBlock(answer http.ResponseWriter, request *http.Request) {
	block, err := Guard(w, func() (event.Block, error) { return w.readBlock(request) })
	if err != nil {
		w.answerJSON(answer, request, faultOf(err), http.StatusUnprocessableEntity)
		return
	}
	w.answerBytes(answer, block.MediaType, block.Data)
}

// answerBytes answers with bytes, as an image if they are one that the page can show.
func (w *Window) answerBytes(answer http.ResponseWriter, mediaType string, data []byte) {
	if !shownImages[mediaType] {
		mediaType = "application/octet-stream"
	}
	answer.Header().Set("Content-Type", mediaType)
	_, _ = answer.Write(w.redactKeys(data)) // the page may be gone
}

// readBlock reads a block of an event with its bytes, which are in Data also where they are
// text.
func (w *Window) readBlock(request *http.Request) (event.Block, error) {
	e, err := w.wholeEvent(request)
	if err != nil {
		return event.Block{}, err
	}
	number, err := strconv.Atoi(request.PathValue("number"))
	if err != nil {
		return event.Block{}, &message.Refusal{Code: message.InvalidParams, Message: "that is no number of a block"}
	}
	found := event.Block{}
	_, err = event.MapBlocks(e.Data, func(at int, b event.Block) (event.Block, error) {
		if at+1 == number {
			found = b
		}
		return b, nil
	})
	switch {
	case err != nil:
		return event.Block{}, err
	case found.Type == "":
		return event.Block{}, &message.Refusal{Code: message.NotFound, Message: "there is no such block"}
	case found.Sum != "":
		found.Data, err = w.backend.Sessions.BlockData(request.Context(), found.Sum)
	case found.Text != "":
		found.Data = []byte(found.Text)
	}
	return found, err
}
