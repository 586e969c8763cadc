package window

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/damage"
	"github.com/jezek/xgb/xproto"
)

// screen sees what windows show.
type screen struct {
	connection *xgb.Conn
	root       xproto.Window
	// clients is the property of the root that lists windows, and pid the one of a
	// window that names its process.
	clients, pid xproto.Atom
	// events are closed with the connection.
	events chan xgb.Event
}

func openScreen(display string) (*screen, error) {
	xgb.Logger.SetOutput(io.Discard) // it prints what it also returns
	connection, err := xgb.NewConnDisplay(display)
	if err != nil {
		return nil, fmt.Errorf("open display %q: %w", display, err)
	}
	s := &screen{
		connection: connection, root: xproto.Setup(connection).DefaultScreen(connection).Root, events: make(chan xgb.Event, 64),
	}
	if err := s.prepareDamage(); err != nil {
		connection.Close()
		return nil, fmt.Errorf("prepare display %q: %w", display, err)
	}
	go s.readEvents()
	return s, nil
}

func (s *screen) prepareDamage() error {
	if err := damage.Init(s.connection); err != nil {
		return err
	}
	// The extension answers nothing before it was asked for its version.
	if _, err := damage.QueryVersion(s.connection, 1, 1).Reply(); err != nil {
		return err
	}
	var err error
	if s.clients, err = s.atomOf("_NET_CLIENT_LIST"); err != nil {
		return err
	}
	if s.pid, err = s.atomOf("_NET_WM_PID"); err != nil {
		return err
	}
	return xproto.ChangeWindowAttributesChecked(
		s.connection, s.root, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange}).Check()
}

func (s *screen) close() { s.connection.Close() }

func (s *screen) readEvents() {
	defer close(s.events)
	for {
		event, err := s.connection.WaitForEvent()
		switch {
		case event != nil:
			s.events <- event
		case err == nil:
			return
		}
	}
}

func (s *screen) atomOf(name string) (xproto.Atom, error) {
	reply, err := xproto.InternAtom(s.connection, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0, err
	}
	return reply.Atom, nil
}

// next waits for something to happen on the screen.
func (s *screen) next(ctx context.Context) (xgb.Event, error) {
	select {
	case event, open := <-s.events:
		if !open {
			return nil, errors.New("the display is gone")
		}
		return event, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// firstPaint waits until the window of a process shows something, and returns the
// window and when that was. A window that is opened is of one color at first, and
// of another one when its page has come; the first frame with two has content.
func (s *screen) firstPaint(ctx context.Context, pid int) (xproto.Window, time.Time, error) {
	window, err := s.find(ctx, pid)
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("wait for the window: %w", err)
	}
	watched, err := damage.NewDamageId(s.connection)
	if err == nil {
		err = damage.CreateChecked(s.connection, watched, xproto.Drawable(window), damage.ReportLevelNonEmpty).Check()
	}
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("watch the window: %w", err)
	}
	defer damage.Destroy(s.connection, watched)
	for {
		at := time.Now()
		// From here on, whatever is drawn is told anew.
		damage.Subtract(s.connection, watched, 0, 0)
		if s.hasContent(window) {
			return window, at, nil
		}
		if err := s.awaitDrawing(ctx, watched); err != nil {
			return 0, time.Time{}, fmt.Errorf("wait for the window's content: %w", err)
		}
	}
}

// awaitDrawing waits until something is drawn into what is watched.
func (s *screen) awaitDrawing(ctx context.Context, watched damage.Damage) error {
	for {
		event, err := s.next(ctx)
		if err != nil {
			return err
		}
		if told, ok := event.(damage.NotifyEvent); ok && told.Damage == watched {
			return nil
		}
	}
}

// hasContent reports whether the window is of more than one color. It has none while
// it cannot be read, because it is not on the screen yet.
func (s *screen) hasContent(window xproto.Window) bool {
	const all = 1<<32 - 1
	area := xproto.Drawable(window)
	size, err := xproto.GetGeometry(s.connection, area).Reply()
	if err != nil {
		return false
	}
	image, err := xproto.GetImage(s.connection, xproto.ImageFormatZPixmap, area, 0, 0, size.Width, size.Height, all).Reply()
	return err == nil && !isUniform(image.Data)
}

// isUniform reports whether all pixels, of 4 bytes each, are the same.
func isUniform(pixels []byte) bool {
	const pixel = 4
	return len(pixels) <= pixel || bytes.Equal(pixels[pixel:], pixels[:len(pixels)-pixel])
}

// find waits until a process has a window.
func (s *screen) find(ctx context.Context, pid int) (xproto.Window, error) {
	for {
		windows, err := s.readNumbers(s.root, s.clients)
		if err != nil {
			return 0, err
		}
		for _, number := range windows {
			window := xproto.Window(number)
			// A window can go away between two requests.
			owner, err := s.readNumbers(window, s.pid)
			if err == nil && len(owner) == 1 && int(owner[0]) == pid {
				return window, nil
			}
		}
		if _, err := s.next(ctx); err != nil {
			return 0, err
		}
	}
}

// readNumbers reads a property that is a list of numbers.
func (s *screen) readNumbers(window xproto.Window, property xproto.Atom) ([]uint32, error) {
	const most = 1024
	reply, err := xproto.GetProperty(s.connection, false, window, property, xproto.GetPropertyTypeAny, 0, most).Reply()
	if err != nil {
		return nil, err
	}
	var values []uint32
	for at := 0; at+4 <= len(reply.Value); at += 4 {
		values = append(values, xgb.Get32(reply.Value[at:]))
	}
	return values, nil
}
