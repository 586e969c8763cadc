package extract

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strconv"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"fairlead/backend/tool/document/exchange"
)

const (
	// maxDepth is how deep elements of XML may lie in each other.
	maxDepth = 500
	// checkEvery is after how many pieces of XML it is looked whether the time is over.
	checkEvery = 4096
)

// markup reads XML piece by piece. Entities that a document defines itself are not known, so
// none can stand for more than it says; neither is anything loaded from elsewhere.
type markup struct {
	ctx     context.Context
	decoder *xml.Decoder
	depth   int
	count   int
}

func newMarkup(ctx context.Context, r io.Reader) *markup {
	// A byte order mark decides; without one it is UTF-8.
	text := transform.NewReader(r, unicode.BOMOverride(transform.Nop))
	d := xml.NewDecoder(text)
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return &markup{ctx: ctx, decoder: d}
}

// next returns the next piece: *xml.StartElement, *xml.EndElement, xml.CharData, or nothing at
// the end.
func (m *markup) next() (xml.Token, error) {
	for {
		if m.count++; m.count%checkEvery == 0 && m.ctx.Err() != nil {
			return nil, m.ctx.Err()
		}
		token, err := m.decoder.Token()
		switch token := token.(type) {
		case xml.StartElement:
			if m.depth++; m.depth > maxDepth {
				return nil, &exchange.Failure{Reason: exchange.TooLarge, Detail: "its elements are nested too deeply"}
			}
			return &token, nil
		case xml.EndElement:
			m.depth--
			return &token, nil
		case xml.CharData:
			return token, nil
		}
		var failure *exchange.Failure
		switch {
		case errors.Is(err, io.EOF):
			return nil, nil
		case errors.As(err, &failure):
			return nil, failure
		case err != nil:
			return nil, broken("%v", err)
		}
	}
}

// element calls do for each element in the one that has just begun, until that ends; at the
// beginning, in the whole document. do reads on in it, by element, text or skip, or leaves it.
func (m *markup) element(do func(*xml.StartElement) error) error {
	return m.content(do, nil)
}

// content is element, with what is given the texts between the elements.
func (m *markup) content(do func(*xml.StartElement) error, text func(string)) error {
	for own := m.depth; ; {
		token, err := m.next()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case nil:
			return nil
		case *xml.StartElement:
			inner := m.depth
			if err := do(token); err != nil {
				return err
			}
			if err := m.leave(inner); err != nil {
				return err
			}
		case *xml.EndElement:
			if m.depth < own {
				return nil
			}
		case xml.CharData:
			if text != nil {
				text(string(token))
			}
		}
	}
}

// leave reads up to the end of the element at a depth, if that is open.
func (m *markup) leave(depth int) error {
	for m.depth >= depth {
		token, err := m.next()
		if err != nil || token == nil {
			return err
		}
	}
	return nil
}

// each calls do for every element in the one that has just begun, in whatever others they lie;
// do may read what is in it.
func (m *markup) each(do func(*xml.StartElement) error) error {
	for own := m.depth; ; {
		token, err := m.next()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case nil:
			return nil
		case *xml.StartElement:
			if err := do(token); err != nil {
				return err
			}
		case *xml.EndElement:
		}
		if m.depth < own {
			return nil
		}
	}
}

// text is all text in the element that has just begun.
func (m *markup) text() (string, error) {
	var all []byte
	for own := m.depth; m.depth >= own; {
		token, err := m.next()
		if err != nil || token == nil {
			return string(all), err
		}
		if text, ok := token.(xml.CharData); ok {
			all = append(all, text...)
		}
	}
	return string(all), nil
}

// attribute returns an attribute of an element by its name without a prefix.
func attribute(e *xml.StartElement, name string) string {
	for i := range e.Attr {
		if e.Attr[i].Name.Local == name {
			return e.Attr[i].Value
		}
	}
	return ""
}

// number returns an attribute that is a whole number from 0, or what is given instead where
// it is none, or more than most.
func number(e *xml.StartElement, name string, instead, most int) int {
	n, err := strconv.Atoi(attribute(e, name))
	switch {
	case err != nil || n < 0:
		return instead
	case n > most:
		return most
	}
	return n
}
