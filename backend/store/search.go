package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/store/index"
)

// ShortestQuery is how many characters a text is found by at least.
const ShortestQuery = index.Least

// Query is what is searched for.
type Query struct {
	// Text stands in what is found, in any case; it has ShortestQuery characters or more.
	Text string
	// Workspace is the folder whose conversations are searched; empty for all.
	Workspace string
	// Most is how many passages are wanted.
	Most int
}

// Found is what was found.
type Found struct {
	// Titles are the conversations whose title has the text, those first whose last run began or ended last.
	Titles []Session
	// Passages are places in messages, the newest first, and Sessions the conversations that they are in, by
	// their ids.
	Passages []Passage
	Sessions map[string]Session
	// More says that there are others.
	More bool
}

// Passage is a place in a message.
type Passage struct {
	SessionID, RunID, MessageID, PartID string
	Role                                message.Role
	// Tool is the tool of the call that it is about; empty for what was said.
	Tool string
	At   time.Time
	// Match is the text that was found as it stands there, on one line, with what is before and after it.
	Before, Match, After string

	// number is that of the part.
	number int64
}

// Search finds a text in all conversations that are not hidden. What the index does not have yet is read.
func (s *Store) Search(ctx context.Context, q Query) (found Found, err error) {
	q.Text = index.Fold(q.Text)
	if found.Titles, err = s.titled(ctx, q); err != nil {
		return Found{}, fmt.Errorf("search the conversations: %w", s.explainError(err))
	}
	if found.Passages, err = s.passages(ctx, q); err != nil {
		return Found{}, fmt.Errorf("search the conversations: %w", s.explainError(err))
	}
	slices.SortFunc(found.Passages, func(a, b Passage) int { return cmp.Compare(b.number, a.number) })
	found.Passages = slices.CompactFunc(found.Passages, func(a, b Passage) bool { return a.number == b.number })
	if len(found.Passages) > q.Most {
		found.Passages, found.More = found.Passages[:q.Most], true
	}
	found.Sessions = map[string]Session{}
	for _, p := range found.Passages {
		if _, known := found.Sessions[p.SessionID]; known {
			continue
		}
		if found.Sessions[p.SessionID], err = s.Session(ctx, p.SessionID); err != nil {
			return Found{}, err
		}
	}
	return found, nil
}

// titled are the conversations whose title has a text, those first whose last run began or ended last.
func (s *Store) titled(ctx context.Context, q Query) (titled []Session, err error) {
	rows, err := s.reader.QueryContext(ctx, "SELECT id, title FROM sessions WHERE hidden_at IS NULL AND (?1 = '' OR workspace = ?1) ORDER BY updated_at DESC, id DESC", q.Workspace)
	if err != nil {
		return nil, err
	}
	var ids []string
	for rows.Next() {
		var id, title string
		if err := rows.Scan(&id, &title); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		if strings.Contains(index.Fold(title), q.Text) {
			ids = append(ids, id)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, err
	}
	for _, id := range ids {
		session, err := s.Session(ctx, id)
		if err != nil {
			return nil, err
		}
		titled = append(titled, session)
	}
	return titled, nil
}

// passages are those that the index leads to and those in runs that it does not have, some more than are
// wanted where there are. Where there is no index, all runs are read.
func (s *Store) passages(ctx context.Context, q Query) ([]Passage, error) {
	pending, err := s.pendingRuns(ctx)
	var found []Passage
	if err == nil {
		found, err = s.indexedPassages(ctx, q)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		found = nil
		if pending, err = s.readRuns(ctx, 0); err != nil {
			return nil, err
		}
	}
	count := 0
	for _, run := range slices.Backward(pending) {
		passages, err := s.passagesAt(ctx, q, partsOfRun, run.ID)
		if err != nil {
			return nil, err
		}
		found = append(found, passages...)
		if count += len(passages); count > q.Most {
			break
		}
	}
	return found, nil
}

// indexedPassages are those that the index leads to.
func (s *Store) indexedPassages(ctx context.Context, q Query) (found []Passage, err error) {
	const atOnce = 64
	for below := int64(1) << 62; len(found) <= q.Most; {
		numbers, err := s.indexed(ctx, q.Text, below, atOnce)
		if err != nil || len(numbers) == 0 {
			return found, err
		}
		below = numbers[len(numbers)-1]
		list, err := json.Marshal(numbers)
		if err != nil {
			return nil, err
		}
		passages, err := s.passagesAt(ctx, q, partsNumbered, string(list))
		if err != nil {
			return nil, err
		}
		found = append(found, passages...)
	}
	return found, nil
}

// What is read of parts in which a text may stand: those of a run, or those with some numbers, a JSON list.
const (
	readParts = `SELECT p.rowid, p.id, p.body, m.id, m.session_id, m.run_id, m.role, m.synthetic, m.created_at
		FROM parts p JOIN messages m ON m.id = p.message_id JOIN sessions s ON s.id = m.session_id
		WHERE s.hidden_at IS NULL AND (?2 = '' OR s.workspace = ?2) AND `
	partsOfRun    = readParts + inRun + " ORDER BY p.rowid DESC"
	partsNumbered = readParts + "p.rowid IN (SELECT value FROM json_each(?1)) ORDER BY p.rowid DESC"
)

// passagesAt are the passages in the parts that a query reads, the newest first.
func (s *Store) passagesAt(ctx context.Context, q Query, parts, of string) (found []Passage, err error) {
	rows, err := s.reader.QueryContext(ctx, parts, of, q.Workspace)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p Passage
		var body []byte
		var synthetic bool
		var at int64
		if err := rows.Scan(&p.number, &p.PartID, &body, &p.MessageID, &p.SessionID, &p.RunID, &p.Role, &synthetic, &at); err != nil {
			return nil, err
		}
		part, text := s.textOf(body, synthetic)
		if p.cut(text, q.Text) {
			p.At = fromMilli(at)
			if part.Tool != nil {
				p.Tool = part.Tool.Name
			}
			found = append(found, p)
		}
	}
	return found, rows.Err()
}

// textOf is what of a part can be found. A part that cannot be read has nothing.
func (s *Store) textOf(body []byte, synthetic bool) (part message.Part, text string) {
	part, err := message.ParsePart(body)
	if err != nil || synthetic || part.Synthetic || part.Lost {
		return message.Part{}, ""
	}
	switch {
	case part.Tool != nil:
		return part, s.callText(part.Tool)
	case part.Block != nil:
		return part, part.Block.Name
	case part.Type == message.TextPart:
		return part, part.Text
	}
	return part, ""
}

// callText is what of a call can be found: what its tool does, what it is about, and what it changed.
func (s *Store) callText(use *message.ToolUse) string {
	lines := []string{use.Name}
	if s.display != nil {
		if d := s.display(use.Name); d != nil {
			lines = append(lines, d.Title, d.Subject.Of(use.State.Input), d.Subject.Becomes(use.State.Input))
		}
	}
	if out := use.State.Output; out != nil {
		for _, change := range out.Changes {
			lines = append(lines, change.Path, change.From, change.To)
		}
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	return strings.Join(slices.Compact(lines), "\n")
}

// How much of a text is shown around what was found, in characters.
const (
	shownBefore = 40
	shownAfter  = 120
)

// cut sets what is shown of a text in which another one stands. It reports whether it does.
func (p *Passage) cut(text, wanted string) bool {
	folded := index.Fold(text)
	at := strings.Index(folded, wanted)
	if at < 0 {
		return false
	}
	// A letter can have another length in the other case, but is one all the same.
	runes := []rune(text)
	from := len([]rune(folded[:at]))
	to := min(from+len([]rune(wanted)), len(runes))
	line := func(from, to int) string {
		return strings.Map(func(r rune) rune {
			if r < ' ' {
				return ' '
			}
			return r
		}, string(runes[from:to]))
	}
	begin, end := max(from-shownBefore, 0), min(to+shownAfter, len(runes))
	p.Before, p.Match, p.After = strings.TrimLeft(line(begin, from), " "), line(from, to), strings.TrimRight(line(to, end), " ")
	if begin > 0 {
		p.Before = "…" + p.Before
	}
	if end < len(runes) {
		p.After += "…"
	}
	return true
}

// pendingRun is a run that the index does not have.
type pendingRun struct {
	number int64
	ID     string
	ended  bool
}

// readRuns reads runs with numbers after one, in order.
func (s *Store) readRuns(ctx context.Context, after int64) (runs []pendingRun, err error) {
	rows, err := s.reader.QueryContext(ctx, "SELECT rowid, id, ended_at IS NOT NULL FROM runs WHERE rowid > ? ORDER BY rowid", after)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var run pendingRun
		if err := rows.Scan(&run.number, &run.ID, &run.ended); err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, rows.Err()
}

// isRun reports whether a run has a number.
func (s *Store) isRun(ctx context.Context, number int64, id string) (bool, error) {
	var has string
	err := s.reader.QueryRowContext(ctx, "SELECT id FROM runs WHERE rowid = ?", number).Scan(&has)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return has == id, err
}
