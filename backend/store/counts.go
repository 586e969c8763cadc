package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairlead/backend/event"
)

// Counts counts what is saved or lost.
type Counts struct{ Conversations, Messages, Events int }

func (c Counts) String() string {
	return fmt.Sprintf("%s, %s and %s", countedNoun(c.Conversations, "conversation"), countedNoun(c.Messages, "message"), countedNoun(c.Events, "event"))
}

func countedNoun(n int, of string) string {
	if n != 1 {
		of += "s"
	}
	return fmt.Sprintf("%d %s", n, of)
}

// countRows counts what is in a rescued database, and what is lost as far as it tells:
// messages and events have numbers without gaps, so that each one that is missing before
// the last is known of. A conversation without its folder has lost its own row.
func countRows(ctx context.Context, from interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
},
) (saved, lost Counts, err error) {
	err = errors.Join(
		from.QueryRowContext(ctx, "SELECT count(*), count(*) FILTER (WHERE workspace = '') FROM sessions WHERE hidden_at IS NULL").
			Scan(&saved.Conversations, &lost.Conversations),
		from.QueryRowContext(ctx, `SELECT n, (SELECT coalesce(sum(last), 0) FROM (
				SELECT max(m.number) - s.parent_messages AS last FROM messages m JOIN sessions s ON s.id = m.session_id GROUP BY s.id)) - n
			FROM (SELECT count(DISTINCT message_id) AS n FROM parts)`).
			Scan(&saved.Messages, &lost.Messages),
		from.QueryRowContext(ctx, `SELECT coalesce(sum(n), 0), coalesce(sum(max(last, 1) - n + unended), 0) FROM (
			SELECT count(e.seq) AS n, coalesce(max(e.seq), 0) AS last,
				r.ended_at IS NOT NULL AND NOT coalesce(max(e.type IN ($1, $2)), max(e.seq) IS NULL) AS unended
			FROM runs r LEFT JOIN events e ON e.run_id = r.id GROUP BY r.id)`, event.TypeLifecycleEnd, event.TypeLifecycleError).
			Scan(&saved.Events, &lost.Events),
	)
	return saved, lost, err
}
