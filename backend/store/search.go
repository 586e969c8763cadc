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
	// Session is the only session that is searched, with what it shares with those that it was forked from;
	// empty for all. Its title is not.
	Session string
	// Most is how many titles, and how many passages, are wanted.
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
	// Tool and CallID are those of the call that it is about; empty for what was said.
	Tool, CallID string
	At           time.Time
	// Match is the text that was found as it stands there, on one line, with what is before and after it.
	Before, Match, After string

	// number is that of the part, and message that of its message in the session.
	number, message int64
	// hidden says that the session was deleted, but not what forks of it share.
	hidden bool
}

// Search finds a text in all conversations that are not hidden. What the index does not have yet is read.
func (s *Store) Search(ctx context.Context, q Query) (found Found, err error) {
	q.Text = index.Fold(q.Text)
	if q.Session != "" {
		found.Passages, err = s.sessionPassages(ctx, q)
	} else {
		if found.Titles, found.More, err = s.Titled(ctx, []string{q.Text}, q.Workspace, q.Most); err != nil {
			return Found{}, err
		}
		found.Passages, err = s.passages(ctx, q)
	}
	if err != nil {
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

// Titled are the conversations whose title has some texts, in any case, those first whose last run began or
// ended last; at most so many. It reports whether there are more.
func (s *Store) Titled(ctx context.Context, texts []string, workspace string, most int) (titled []Session, more bool, err error) {
	ids, err := s.titled(ctx, texts, workspace, most+1)
	if err != nil {
		return nil, false, fmt.Errorf("find conversations by their titles: %w", s.explainError(err))
	}
	if more = len(ids) > most; more {
		ids = ids[:most]
	}
	for _, id := range ids {
		session, err := s.Session(ctx, id)
		if errors.Is(err, ErrNotFound) {
			continue // it was deleted meanwhile
		}
		if err != nil {
			return nil, false, err
		}
		titled = append(titled, session)
	}
	return titled, more, nil
}

func (s *Store) titled(ctx context.Context, texts []string, workspace string, most int) (ids []string, err error) {
	rows, err := s.reader.QueryContext(ctx, "SELECT id, title FROM sessions WHERE hidden_at IS NULL AND (?1 = '' OR workspace = ?1) ORDER BY updated_at DESC, id DESC", workspace)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	folded := make([]string, len(texts))
	for i, text := range texts {
		folded[i] = index.Fold(text)
	}
	for len(ids) < most && rows.Next() {
		var id, title string
		if err := rows.Scan(&id, &title); err != nil {
			return nil, err
		}
		title = index.Fold(title)
		if !slices.ContainsFunc(folded, func(text string) bool { return !strings.Contains(title, text) }) {
			ids = append(ids, id)
		}
	}
	return ids, rows.Err()
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
		passages, err := s.passagesAt(ctx, q.Text, partsOfRun, run.ID, q.Workspace)
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
		passages, err := s.passagesAt(ctx, q.Text, partsNumbered, string(list), q.Workspace)
		if err != nil {
			return nil, err
		}
		found = append(found, passages...)
	}
	return found, nil
}

// sessionPassages are those in one session. All its parts are read, which are few beside those that the
// index is for.
func (s *Store) sessionPassages(ctx context.Context, q Query) (found []Passage, err error) {
	line, err := s.read.Line(ctx, q.Session)
	if err != nil {
		return nil, err
	}
	for _, one := range slices.Backward(line) {
		passages, err := s.passagesAt(ctx, q.Text, partsOfSession, one.ID, one.Past, one.Until)
		if err != nil {
			return nil, err
		}
		found = append(found, passages...)
		if len(found) > q.Most {
			break
		}
	}
	for i := range found {
		found[i].SessionID = q.Session
	}
	return found, nil
}

// What is read of parts in which a text may stand: those of a run, those with some numbers, a JSON list, and
// those of a session after a message and up to another. A session that was deleted still has what
// forks of it share.
const (
	selectParts = `SELECT p.rowid, p.id, p.body, m.id, m.number, m.session_id, s.hidden_at IS NOT NULL, m.run_id, m.role, m.synthetic, m.created_at
		FROM parts p JOIN messages m ON m.id = p.message_id JOIN sessions s ON s.id = m.session_id WHERE `
	readParts = selectParts + `(s.hidden_at IS NULL OR EXISTS (SELECT 1 FROM sessions f WHERE f.parent_id = s.id AND f.parent_messages >= m.number))
		AND (?2 = '' OR s.workspace = ?2) AND `
	newestFirst    = " ORDER BY p.rowid DESC"
	partsOfRun     = readParts + inRun + newestFirst
	partsNumbered  = readParts + "p.rowid IN (SELECT value FROM json_each(?1))" + newestFirst
	partsOfSession = selectParts + "m.session_id = ?1 AND m.number > ?2 AND m.number <= ?3" + newestFirst
)

// passagesAt are the passages in the parts that a query reads, the newest first.
func (s *Store) passagesAt(ctx context.Context, text, parts string, of ...any) ([]Passage, error) {
	found, err := s.readPassages(ctx, text, parts, of...)
	if err != nil || !slices.ContainsFunc(found, func(p Passage) bool { return p.hidden }) {
		return found, err
	}
	shown := found[:0]
	for _, p := range found {
		if p.hidden {
			if p.SessionID, err = s.shownFork(ctx, p); err != nil {
				return nil, err
			}
		}
		if p.SessionID != "" {
			shown = append(shown, p)
		}
	}
	return shown, nil
}

// shownFork is a fork that has a passage of a session that was deleted; empty where all were deleted.
func (s *Store) shownFork(ctx context.Context, p Passage) (id string, err error) {
	err = s.reader.QueryRowContext(ctx, `WITH RECURSIVE forks (id, hidden_at) AS (
			SELECT f.id, f.hidden_at FROM sessions f WHERE f.parent_id = ?1 AND f.parent_messages >= ?2
			UNION ALL
			SELECT f.id, f.hidden_at FROM forks k JOIN sessions f ON f.parent_id = k.id AND f.parent_messages >= ?2
		)
		SELECT id FROM forks WHERE hidden_at IS NULL LIMIT 1`, p.SessionID, p.message).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

func (s *Store) readPassages(ctx context.Context, wanted, parts string, of ...any) (found []Passage, err error) {
	rows, err := s.reader.QueryContext(ctx, parts, of...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p Passage
		var body []byte
		var synthetic bool
		var at int64
		err := rows.Scan(&p.number, &p.PartID, &body, &p.MessageID, &p.message, &p.SessionID, &p.hidden, &p.RunID, &p.Role, &synthetic, &at)
		if err != nil {
			return nil, err
		}
		part, text := s.textOf(body, synthetic)
		if p.cut(text, wanted) {
			p.At = fromMilli(at)
			if part.Tool != nil {
				p.Tool, p.CallID = part.Tool.Name, part.Tool.CallID
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
