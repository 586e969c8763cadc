package extract

import (
	"context"
	"errors"
	"fmt"

	"fairlead/backend/picture"
	"fairlead/backend/tool/document/exchange"
)

// readPicture reads a picture, and says in words what a model needs that sees it, or does not.
func readPicture(_ context.Context, source Source, into *pages) error {
	file, err := picture.ReadFile(source, source.Size)
	if err != nil {
		return pictureFailure(err)
	}
	text := fmt.Sprintf("%s picture, %d × %d pixels", file.Format, file.Width, file.Height)
	if file.Taken != "" {
		text += ", taken at " + file.Taken
	}
	if into.shows {
		shown, err := file.Decode(source)
		if err != nil {
			return pictureFailure(err)
		}
		if shown.Width != file.Width || shown.Height != file.Height {
			text += fmt.Sprintf(", shown as %d × %d", shown.Width, shown.Height)
		}
		into.show(0, shown)
	}
	return into.whole(text + "\n")
}

// pictureFailure says why a picture cannot be read.
func pictureFailure(err error) error {
	switch {
	case errors.Is(err, picture.ErrTooLarge):
		return &exchange.Failure{Reason: exchange.TooLarge, Detail: err.Error()}
	case errors.Is(err, picture.ErrBroken):
		return broken("%v", err)
	}
	return err
}
