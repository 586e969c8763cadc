package desktop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"sync"

	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

const (
	// maxPasted is how many bytes a pasted picture may have.
	maxPasted = 64 << 20
	// maxAttached is how many pictures are kept until they are sent. The oldest go first.
	maxAttached = 40
)

// Attached is a picture that goes with what the user says next.
type Attached struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	MediaType string `json:"mediaType"`
	// Size is in bytes, and Ref the address of these.
	Size int    `json:"size"`
	Ref  string `json:"ref"`
}

// attachedPictures are the pictures that were not sent yet.
type attachedPictures struct {
	mu     sync.Mutex
	blocks map[string]message.Block
	order  []string
	count  int
}

// add keeps a picture.
func (a *attachedPictures) add(block message.Block) Attached {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.count++
	id := fmt.Sprintf("picture%d", a.count)
	if a.blocks == nil {
		a.blocks = map[string]message.Block{}
	}
	a.blocks[id], a.order = block, append(a.order, id)
	if len(a.order) > maxAttached {
		delete(a.blocks, a.order[0])
		a.order = slices.Delete(a.order, 0, 1)
	}
	return Attached{id, block.Name, block.MediaType, len(block.Data), routes + "pictures/" + id}
}

// find returns pictures by their ids.
func (a *attachedPictures) find(ids []string) ([]message.Block, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var blocks []message.Block
	for _, id := range ids {
		block, ok := a.blocks[id]
		if !ok {
			return nil, &message.Refusal{Code: message.NotFound, Message: "a picture is not kept any more; add it again"}
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}

// forget drops pictures that were sent, or taken back.
func (a *attachedPictures) forget(ids []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, id := range ids {
		delete(a.blocks, id)
	}
	a.order = slices.DeleteFunc(a.order, func(id string) bool { return slices.Contains(ids, id) })
}

// Pictures is bound to the page: it takes pictures that go with what the user says. One that was
// pasted comes over the routes.
type Pictures struct{ window *Window }

// pastedName is what a picture without a name is called.
const pastedName = "clipboard.png"

// Paste takes the picture on the clipboard, where there is one and the page is not told of it.
func (p *Pictures) Paste() ([]Attached, error) {
	return Guard(p.window, func() ([]Attached, error) {
		content, err := p.window.native.ClipboardPicture()
		if err != nil || content == nil {
			return []Attached{}, err
		}
		attached, err := p.window.takePicture(p.window.ctx, pastedName, content)
		return []Attached{attached}, err
	})
}

// Add reads pictures that were chosen, or dropped on the window, by their paths.
func (p *Pictures) Add(paths []string) ([]Attached, error) {
	return Guard(p.window, func() ([]Attached, error) { return p.window.attachFiles(paths) })
}

// Remove takes a picture back that was not sent.
func (p *Pictures) Remove(id string) (None, error) {
	return Guard(p.window, func() (None, error) {
		p.window.attached.forget([]string{id})
		return None{}, nil
	})
}

// attachFiles reads pictures: all of them, or none.
func (w *Window) attachFiles(paths []string) ([]Attached, error) {
	var blocks []message.Block
	for _, path := range paths {
		block, err := w.readPicture(path)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, block)
	}
	attached := []Attached{}
	for _, block := range blocks {
		attached = append(attached, w.attached.add(block))
	}
	return attached, nil
}

// readPicture reads the picture of a file of the user's choice.
func (w *Window) readPicture(path string) (message.Block, error) {
	file, size, err := workspace.OpenChosen(path)
	if err != nil {
		return message.Block{}, &message.Refusal{Code: message.InvalidParams, Message: err.Error()}
	}
	defer func() { _ = file.Close() }()
	return w.backend.ReadPicture(w.ctx, filepath.Base(path), file, size)
}

// takeUpload takes a picture that the page sends.
func (w *Window) takeUpload(request *http.Request) (any, error) {
	content, err := io.ReadAll(http.MaxBytesReader(nil, request.Body, maxPasted))
	if _, isLarge := errors.AsType[*http.MaxBytesError](err); isLarge {
		return nil, &message.Refusal{Code: message.InvalidParams, Message: fmt.Sprintf("the picture has more than %d MiB", maxPasted>>20)}
	}
	if err != nil {
		return nil, fmt.Errorf("take a picture: %w", err)
	}
	return w.takePicture(request.Context(), request.URL.Query().Get("name"), content)
}

// takePicture takes a picture that was pasted.
func (w *Window) takePicture(ctx context.Context, name string, content []byte) (Attached, error) {
	block, err := w.backend.ReadPicture(ctx, name, bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return Attached{}, err
	}
	return w.attached.add(block), nil
}

// servePicture answers with the bytes of a picture that was not sent yet.
func (w *Window) servePicture(answer http.ResponseWriter, request *http.Request) {
	blocks, err := Guard(w, func() ([]message.Block, error) { return w.attached.find([]string{request.PathValue("id")}) })
	if err != nil {
		w.answerJSON(answer, request, faultOf(err), http.StatusUnprocessableEntity)
		return
	}
	w.answerBytes(answer, blocks[0].MediaType, blocks[0].Data)
}
