package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/tool/document"
	"fairlead/backend/tool/document/exchange"
)

// pictureTime is how long a picture may take to be read, in milliseconds.
const pictureTime = 10_000

// ReadPicture reads a picture of the user's, of so many bytes, as a model is shown it: upright, of a
// size that models take, and without what the file says beside it. One that cannot be read gives
// a *message.Refusal.
func (b *Backend) ReadPicture(ctx context.Context, name string, file io.ReaderAt, size int64) (message.Block, error) {
	if instead := document.InsteadOf(name); instead != nil {
		return message.Block{}, &message.Refusal{
			Code: message.InvalidParams, Message: fmt.Sprintf("%s is in a format that cannot be read: save it as %s", message.Inline(name), strings.Join(instead, " or ")),
		}
	}
	text, err := b.documents.Read(ctx, file, exchange.Request{
		Format: exchange.Picture, Size: size, First: 1, Characters: 1000, Pictures: 1, Milliseconds: pictureTime,
	}, nil)
	failure, isFailure := errors.AsType[*exchange.Failure](err)
	switch {
	case isFailure && failure.Reason == exchange.TooLarge:
		return message.Block{}, &message.Refusal{Code: message.InvalidParams, Message: fmt.Sprintf("%s is too large: %s", message.Inline(name), failure.Detail)}
	case isFailure:
		return message.Block{}, &message.Refusal{Code: message.InvalidParams, Message: fmt.Sprintf("%s is no PNG, JPEG, GIF or WebP picture, or a broken one", message.Inline(name))}
	case err != nil:
		return message.Block{}, fmt.Errorf("read %s: %w", message.Inline(name), err)
	case len(text.Pictures) != 1:
		return message.Block{}, fmt.Errorf("read %s: its reader showed nothing", message.Inline(name))
	}
	shown := text.Pictures[0]
	return message.Block{Type: message.ImageBlock, Name: name, MediaType: shown.MediaType, Data: shown.Data}, nil
}
