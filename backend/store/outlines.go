package store

import (
	"context"
	"fmt"

	"fairlead/backend/message"
	"fairlead/backend/store/queries"
)

// outlinesAtOnce is how many outlines are kept in one transaction.
const outlinesAtOnce = 1000

// Outlines reads the history of a session without its long texts, and what is known of
// how many tokens its parts take, by their ids.
func (s *Store) Outlines(ctx context.Context, sessionID string) (history []message.Message, known map[string]message.Tokens, err error) {
	known = map[string]message.Tokens{}
	var missing []message.Part
	next := int64(1) // the number of the next message
	for row, err := range s.eachPart(ctx, queries.MessagesAfterParams{SessionID: sessionID, Outlined: true}) {
		if err == nil && len(missing) == outlinesAtOnce {
			err = s.keepOutlines(ctx, missing)
			missing = missing[:0]
		}
		if err != nil {
			return nil, nil, err
		}
		part := s.partOf(sessionID, row)
		if row.Bare {
			if part = part.Outline(); part.Left != nil {
				missing = append(missing, part)
			}
		}
		if row.Tokens.Valid {
			known[part.ID] = message.Tokens{Part: int(row.Tokens.Int64), Output: int(row.OutputTokens.Int64)}
		}
		if len(history) == 0 || history[len(history)-1].ID != row.ID {
			if gap := gapBefore(sessionID, row, next); gap != nil {
				history = append(history, *gap)
			}
			history = append(history, messageOf(sessionID, row))
			next = row.Number + 1
		}
		last := &history[len(history)-1]
		last.Parts = append(last.Parts, part)
	}
	return history, known, s.keepOutlines(ctx, missing)
}

// keepOutlines keeps the outlines of parts that were saved without one.
func (s *Store) keepOutlines(ctx context.Context, outlines []message.Part) error {
	if len(outlines) == 0 {
		return nil
	}
	err := s.write(s.wait(ctx.Done(), patience), quick, func(ctx context.Context, q *queries.Queries) error {
		for i := range outlines {
			if err := s.addOutline(ctx, q, outlines[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep the outlines of messages: %w", err)
	}
	return nil
}

// addOutline keeps the outline of a part, if it has one.
func (s *Store) addOutline(ctx context.Context, q *queries.Queries, part message.Part) error {
	outline := part.Outline()
	if outline.Left == nil {
		return nil
	}
	body, err := s.encode(outline)
	if err == nil {
		err = q.SetOutline(ctx, queries.SetOutlineParams{PartID: part.ID, Body: body})
	}
	return err
}

// KeepTokens keeps how many tokens parts take, by their ids. It does not wait long for
// another process: they can be counted again.
func (s *Store) KeepTokens(ctx context.Context, counted map[string]message.Tokens) error {
	if len(counted) == 0 {
		return nil
	}
	err := s.write(s.wait(ctx.Done(), tellAfter), quick, func(ctx context.Context, q *queries.Queries) error {
		for id, tokens := range counted {
			err := q.SetTokens(ctx, queries.SetTokensParams{PartID: id, Tokens: int64(tokens.Part), OutputTokens: int64(tokens.Output)})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep the sizes of messages: %w", err)
	}
	return nil
}
