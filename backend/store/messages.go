package store

import (
	"context"
	"fmt"
	"iter"

	"fairlead/backend/message"
	"fairlead/backend/store/queries"
)

// Messages are read in pages, of which one is in memory: of as many as had about
// pageBytes the last time, and at most pageMost.
const (
	pageBytes = 1 << 20
	pageMost  = 64
)

// page is how many messages are read at once.
type page int64

// next is the size of the next page, after one with so many bytes.
func (p page) next(read int) page {
	if read > pageBytes {
		return max(p/4, 1)
	}
	return min(p*2, pageMost)
}

// EachMessage are the messages of a session, in order, of which few are in memory at a
// time. It ends with an error that it meets.
func (s *Store) EachMessage(ctx context.Context, sessionID string) iter.Seq2[message.Message, error] {
	return s.eachMessage(ctx, sessionID, "")
}

// MessagesOf reads the messages of a run.
func (s *Store) MessagesOf(ctx context.Context, run Run) ([]message.Message, error) {
	var messages []message.Message
	for m, err := range s.eachMessage(ctx, run.SessionID, run.ID) {
		if err != nil {
			return nil, err
		}
		messages = append(messages, m)
	}
	return messages, nil
}

// eachMessage are the messages of a session, or those that one run of it added.
func (s *Store) eachMessage(ctx context.Context, sessionID, runID string) iter.Seq2[message.Message, error] {
	return func(yield func(message.Message, error) bool) {
		var m message.Message
		next := int64(1) // the number of the next message
		for row, err := range s.eachPart(ctx, queries.MessagesAfterParams{SessionID: sessionID, RunID: runID, Outlined: false}) {
			if err != nil {
				yield(message.Message{}, err)
				return
			}
			if m.ID != row.ID {
				if m.ID != "" && !yield(m, nil) {
					return
				}
				if gap := gapBefore(sessionID, row, next); gap != nil && runID == "" && !yield(*gap, nil) {
					return
				}
				m, next = messageOf(sessionID, row), row.Number+1
			}
			m.Parts = append(m.Parts, s.partOf(sessionID, row))
		}
		if m.ID != "" {
			yield(m, nil)
		}
	}
}

// gapBefore stands for the messages that are missing before a row; nil for none. next is
// the number of the message that is to come.
func gapBefore(sessionID string, row partRow, next int64) *message.Message {
	lost := row.Number - next
	if lost <= 0 {
		return nil
	}
	gap := lostMessages(sessionID, next, lost, fromMilli(row.CreatedAt))
	return &gap
}

// partRow is a part of a session, and whether it was pruned (see message.Part.Prune).
type partRow struct {
	queries.MessagesAfterRow
	pruned bool
}

// prunedIn are the parts of a line that were pruned.
func (s *Store) prunedIn(ctx context.Context, line []queries.LineRow) (map[string]bool, error) {
	pruned := map[string]bool{}
	for _, one := range line {
		ids, err := s.read.PrunedIn(ctx, queries.PrunedInParams{SessionID: one.ID, Number: one.Until})
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			pruned[id] = true
		}
	}
	return pruned, nil
}

// eachPart are the parts of a session's messages with what is known of them, in order,
// read in pages.
func (s *Store) eachPart(ctx context.Context, of queries.MessagesAfterParams) iter.Seq2[partRow, error] {
	return func(yield func(partRow, error) bool) {
		session := of.SessionID
		line, err := s.read.Line(ctx, session)
		var pruned map[string]bool
		if err == nil {
			pruned, err = s.prunedIn(ctx, line)
		}
		for most := page(1); err == nil && len(line) > 0; {
			var rows []queries.MessagesAfterRow
			of.SessionID, of.Until, of.Most = line[0].ID, line[0].Until, int64(most)
			if rows, err = s.read.MessagesAfter(ctx, of); err != nil {
				break
			}
			if len(rows) == 0 {
				line, err = s.restOf(ctx, session, line)
				of.After = max(of.After, firstAfter(line))
				continue
			}
			read := 0
			for i := range rows {
				read += len(rows[i].Body)
				if !yield(partRow{rows[i], pruned[rows[i].PartID]}, nil) {
					return
				}
				rows[i].Body = nil // it can be large
			}
			of.After, most = rows[len(rows)-1].Number, most.next(read)
		}
		if err != nil {
			yield(partRow{}, fmt.Errorf("read conversation %s: %w", session, s.explainError(err)))
		}
	}
}

func messageOf(sessionID string, row partRow) message.Message {
	return message.Message{
		ID: row.ID, SessionID: sessionID, RunID: row.RunID, Role: message.Role(row.Role), Name: row.Name,
		Synthetic: row.Synthetic, CreatedAt: fromMilli(row.CreatedAt),
	}
}

// partOf reads a part as the database has it. In the place of one that cannot be read
// stands that it is lost.
func (s *Store) partOf(sessionID string, row partRow) message.Part {
	part := s.parse(row.Body, message.Part{ID: row.PartID, SessionID: sessionID, MessageID: row.ID})
	if row.pruned {
		return part.Prune()
	}
	return part
}

// parse reads the body of a part; of says which one it is.
func (s *Store) parse(body []byte, of message.Part) message.Part {
	part, err := message.ParsePart(body)
	if err != nil {
		part = lostPart(of.SessionID, of.MessageID, of.ID, "A part of this message cannot be read")
		s.noteFoundDamage()
	}
	return part
}

// Part reads a part whole, of which there is an outline.
func (s *Store) Part(ctx context.Context, outline message.Part) (message.Part, error) {
	body, err := s.read.Part(ctx, outline.ID)
	if err != nil {
		return message.Part{}, fmt.Errorf("read message %s: %w", outline.MessageID, s.explainError(err))
	}
	return s.parse(body, outline), nil
}
