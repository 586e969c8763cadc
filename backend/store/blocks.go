package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/store/queries"
)

// withoutData returns a part as its row has it, and the bytes of its blocks by their sums,
// both without known keys.
func (s *Store) withoutData(part message.Part) (bare message.Part, data map[string][]byte) {
	bare, _ = part.MapBlocks(func(b message.Block) (message.Block, error) { // which never fails
		if b.Data == nil {
			return b, nil
		}
		bytes := s.redact(b.Data)
		b.Data = bytes
		b = b.WithoutData()
		if data == nil {
			data = map[string][]byte{}
		}
		data[b.Sum] = bytes
		return b, nil
	})
	return bare, data
}

func addBlockData(ctx context.Context, q *queries.Queries, partID string, data map[string][]byte) error {
	for sum, bytes := range data {
		if err := q.AddBlockData(ctx, queries.AddBlockDataParams{PartID: partID, Sum: sum, Data: bytes}); err != nil {
			return fmt.Errorf("add the bytes of a block: %w", err)
		}
	}
	return nil
}

// encodeEvent makes the JSON of a payload, in which no known key and no bytes of a block
// stand: the part of the block has them.
func (s *Store) encodeEvent(data event.Data) ([]byte, error) {
	data, err := event.MapBlocks(data, func(_ int, b event.Block) (event.Block, error) {
		if b.Data != nil {
			bytes := s.redact(b.Data)
			b.Size, b.Sum, b.Data = len(bytes), message.Sum(bytes), nil
		}
		return b, nil
	})
	if err != nil {
		return nil, err
	}
	return s.encode(data)
}

// ErrNoBytes reports that the bytes of a block are lost, or that there never were any.
var ErrNoBytes = errors.New("the file in which the conversation is saved does not have them")

// BlockData reads the bytes that have a sum (see message.Sum). It gives ErrNoBytes where
// there are none.
func (s *Store) BlockData(ctx context.Context, sum string) ([]byte, error) {
	data, err := s.read.BlockData(ctx, sum)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, fmt.Errorf("read the bytes of a block: %w", ErrNoBytes)
	case err != nil:
		return nil, fmt.Errorf("read the bytes of a block: %w", s.explainError(err))
	case message.Sum(data) != sum:
		s.noteFoundDamage()
		return nil, fmt.Errorf("read the bytes of a block: %w", ErrNoBytes)
	}
	return data, nil
}

// WithData returns a message with the bytes of its blocks. Those that are lost are left
// out.
func (s *Store) WithData(ctx context.Context, m message.Message) (message.Message, error) {
	parts := make([]message.Part, len(m.Parts))
	for i, part := range m.Parts {
		whole, err := part.MapBlocks(func(b message.Block) (_ message.Block, err error) {
			if b.Data, err = s.dataOf(ctx, b.Sum); b.Data != nil {
				b.Size, b.Sum = 0, ""
			}
			return b, err
		})
		if err != nil {
			return m, fmt.Errorf("read message %s: %w", m.ID, err)
		}
		parts[i] = whole
	}
	m.Parts = parts
	return m, nil
}

// EventWithData returns an event with the bytes of its blocks. Those that are lost are
// left out.
func (s *Store) EventWithData(ctx context.Context, e event.Event) (event.Event, error) {
	data, err := event.MapBlocks(e.Data, func(_ int, b event.Block) (_ event.Block, err error) {
		if b.Data, err = s.dataOf(ctx, b.Sum); b.Data != nil {
			b.Sum = ""
		}
		return b, err
	})
	if err != nil {
		return e, fmt.Errorf("read event %d of run %s: %w", e.Seq, e.RunID, err)
	}
	e.Data = data
	return e, nil
}

// dataOf reads the bytes that have a sum; nil where they are lost, or the sum is empty.
func (s *Store) dataOf(ctx context.Context, sum string) ([]byte, error) {
	if sum == "" {
		return nil, nil
	}
	data, err := s.BlockData(ctx, sum)
	if errors.Is(err, ErrNoBytes) {
		return nil, nil
	}
	return data, err
}
