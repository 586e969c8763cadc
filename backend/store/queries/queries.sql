-- name: AddSession :exec
INSERT INTO sessions (id, workspace, title, titled_by, created_at, updated_at, groups_off)
VALUES (?, ?, ?, 'words', ?, ?, ?)
ON CONFLICT (id) DO NOTHING;

-- name: TouchSession :exec
UPDATE sessions SET updated_at = ?, reason = ?, archived = 0 WHERE id = ?;

-- name: RenameSession :execrows
UPDATE sessions SET title = ?, titled_by = 'person' WHERE id = ?;

-- name: TitleSession :execrows
UPDATE sessions SET title = ?, titled_by = 'model' WHERE id = ? AND titled_by = 'words';

-- name: SetGroupsOff :execrows
UPDATE sessions SET groups_off = ? WHERE id = ?;

-- name: SetQueue :execrows
UPDATE sessions SET queue = ? WHERE id = ?;

-- name: SetNotices :execrows
UPDATE sessions SET notices = ? WHERE id = ?;

-- name: PinSession :execrows
UPDATE sessions SET pinned = sqlc.arg(pinned), archived = archived AND NOT sqlc.arg(pinned) WHERE id = sqlc.arg(id);

-- name: ArchiveSession :execrows
UPDATE sessions SET archived = sqlc.arg(archived), pinned = pinned AND NOT sqlc.arg(archived) WHERE id = sqlc.arg(id);

-- name: HideSession :execrows
UPDATE sessions SET hidden_at = ? WHERE id = ? AND hidden_at IS NULL;

-- name: RestoreSession :execrows
UPDATE sessions SET hidden_at = NULL WHERE id = ? AND hidden_at IS NOT NULL;

-- name: HiddenSessions :many
SELECT id FROM sessions WHERE hidden_at <= ? ORDER BY hidden_at;

-- name: DeleteSession :execrows
DELETE FROM sessions WHERE id = ?;

-- name: Session :one
SELECT * FROM sessions WHERE id = ?;

-- Clocks are set back, so the order is that in which messages were written.
-- name: Sessions :many
SELECT s.* FROM sessions s WHERE s.hidden_at IS NULL
    AND CASE CAST(sqlc.arg(which) AS TEXT) WHEN 'all' THEN 1 WHEN 'archived' THEN s.archived WHEN 'pinned' THEN s.pinned ELSE NOT s.archived END
ORDER BY coalesce((SELECT m.rowid FROM messages m WHERE m.session_id = s.id ORDER BY m.number DESC LIMIT 1), s.forked_at) DESC, s.updated_at DESC, s.id DESC
LIMIT sqlc.arg(most);

-- name: SessionsOf :many
SELECT s.* FROM sessions s WHERE s.workspace = sqlc.arg(workspace) AND s.hidden_at IS NULL
    AND CASE CAST(sqlc.arg(which) AS TEXT) WHEN 'all' THEN 1 WHEN 'archived' THEN s.archived WHEN 'pinned' THEN s.pinned ELSE NOT s.archived END
ORDER BY coalesce((SELECT m.rowid FROM messages m WHERE m.session_id = s.id ORDER BY m.number DESC LIMIT 1), s.forked_at) DESC, s.updated_at DESC, s.id DESC
LIMIT sqlc.arg(most);

-- name: CountArchived :one
SELECT count(*) FROM sessions WHERE workspace = ? AND archived AND hidden_at IS NULL;

-- name: TitlesOf :many
SELECT title FROM sessions WHERE workspace = ? AND hidden_at IS NULL;

-- name: AddRun :exec
INSERT INTO runs (id, session_id, number, started_at)
VALUES (sqlc.arg(id), sqlc.arg(session_id),
    (SELECT coalesce(max(r.number), (SELECT s.parent_runs FROM sessions s WHERE s.id = sqlc.arg(session_id))) + 1
        FROM runs r WHERE r.session_id = sqlc.arg(session_id)),
    sqlc.arg(started_at));

-- name: EndRun :exec
UPDATE runs SET ended_at = ?, reason = ? WHERE id = ?;

-- A fork has the first runs of its parent, and that those of its own.
-- name: RunsOf :many
WITH RECURSIVE line (id, parent_id, after, until) AS (
    SELECT s.id, s.parent_id, s.parent_runs, 9223372036854775807 FROM sessions s WHERE s.id = sqlc.arg(session_id)
    UNION ALL
    SELECT p.id, p.parent_id, p.parent_runs, l.after FROM line l JOIN sessions p ON p.id = l.parent_id AND p.parent_runs < l.after
)
SELECT r.* FROM line l JOIN runs r ON r.session_id = l.id AND r.number > l.after AND r.number <= l.until ORDER BY r.number;

-- name: Run :one
SELECT * FROM runs WHERE id = ?;

-- name: RunsBefore :many
WITH RECURSIVE line (id, parent_id, after, until) AS (
    SELECT s.id, s.parent_id, s.parent_runs, 9223372036854775807 FROM sessions s WHERE s.id = sqlc.arg(session_id)
    UNION ALL
    SELECT p.id, p.parent_id, p.parent_runs, l.after FROM line l JOIN sessions p ON p.id = l.parent_id AND p.parent_runs < l.after
)
SELECT r.* FROM line l JOIN runs r ON r.session_id = l.id AND r.number > l.after AND r.number <= l.until
WHERE r.number < sqlc.arg(number) ORDER BY r.number DESC LIMIT sqlc.arg(most);

-- name: ActiveRuns :many
SELECT * FROM runs WHERE ended_at IS NULL ORDER BY session_id, number;

-- name: AddMessage :exec
INSERT INTO messages (id, session_id, run_id, number, role, name, synthetic, created_at)
VALUES (sqlc.arg(id), sqlc.arg(session_id), sqlc.arg(run_id),
    (SELECT coalesce(max(m.number), (SELECT s.parent_messages FROM sessions s WHERE s.id = sqlc.arg(session_id))) + 1
        FROM messages m WHERE m.session_id = sqlc.arg(session_id)),
    sqlc.arg(role), sqlc.arg(name), sqlc.arg(synthetic), sqlc.arg(created_at));

-- name: AddPart :exec
INSERT INTO parts (id, message_id, number, body) VALUES (?, ?, ?, ?);

-- name: SetPart :exec
UPDATE parts SET body = ? WHERE id = ?;

-- The conversations that have the messages of one, each those after a number and up to another.
-- name: Line :many
WITH RECURSIVE line (id, parent_id, after, until) AS (
    SELECT s.id, s.parent_id, s.parent_messages, 9223372036854775807 FROM sessions s WHERE s.id = sqlc.arg(session_id)
    UNION ALL
    SELECT p.id, p.parent_id, p.parent_messages, l.after FROM line l JOIN sessions p ON p.id = l.parent_id AND p.parent_messages < l.after
)
SELECT l.id, CAST(l.after AS INTEGER) AS past, CAST(l.until AS INTEGER) AS until FROM line l ORDER BY l.after;

-- name: MessagesAfter :many
SELECT m.number, m.id, m.run_id, m.role, m.name, m.synthetic, m.created_at, p.id AS part_id,
    CAST(iif(sqlc.arg(outlined), coalesce(o.body, p.body), p.body) AS BLOB) AS body, o.body IS NULL AS bare,
    o.tokens, o.output_tokens
FROM messages m JOIN parts p ON p.message_id = m.id LEFT JOIN outlines o ON o.part_id = p.id
WHERE m.session_id = sqlc.arg(session_id) AND m.number IN (
    SELECT n.number FROM messages n
    WHERE n.session_id = sqlc.arg(session_id) AND n.number > sqlc.arg(after) AND n.number <= sqlc.arg(until)
        AND (CAST(sqlc.arg(run_id) AS TEXT) = '' OR n.run_id = sqlc.arg(run_id))
    ORDER BY n.number LIMIT sqlc.arg(most))
ORDER BY m.number, p.number;

-- name: Part :one
SELECT body FROM parts WHERE id = ?;

-- name: SetOutline :exec
INSERT INTO outlines (part_id, body) VALUES (?, ?)
ON CONFLICT (part_id) DO UPDATE SET body = excluded.body, tokens = NULL, output_tokens = NULL;

-- name: DeleteOutline :exec
DELETE FROM outlines WHERE part_id = ?;

-- name: PrunePart :exec
INSERT INTO pruned (session_id, part_id, number)
SELECT CAST(sqlc.arg(session_id) AS TEXT), p.id, (SELECT coalesce(max(m.number), 0) FROM messages m WHERE m.session_id = CAST(sqlc.arg(session_id) AS TEXT))
FROM parts p WHERE p.id = CAST(sqlc.arg(part_id) AS TEXT)
ON CONFLICT DO NOTHING;

-- name: PrunedIn :many
SELECT part_id FROM pruned WHERE session_id = ? AND number <= ?;

-- name: GivePruned :exec
UPDATE pruned SET session_id = sqlc.arg(heir) WHERE session_id = sqlc.arg(session_id) AND number <= sqlc.arg(until);

-- name: SetTokens :exec
INSERT INTO outlines (part_id, tokens, output_tokens)
SELECT p.id, CAST(sqlc.arg(tokens) AS INTEGER), CAST(sqlc.arg(output_tokens) AS INTEGER)
FROM parts p WHERE p.id = sqlc.arg(part_id)
ON CONFLICT (part_id) DO UPDATE SET tokens = excluded.tokens, output_tokens = excluded.output_tokens;

-- name: AddEvent :exec
INSERT INTO events (run_id, seq, ts, type, data) VALUES (?, ?, ?, ?, ?);

-- name: EventsAfter :many
SELECT seq, ts, type, data FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?;

-- What a run took, step by step.
-- name: StepEvents :many
SELECT seq, ts, type, data FROM events
WHERE run_id = ? AND type IN ('lifecycle.start', 'step.started', 'step.completed', 'usage', 'context.compacted') ORDER BY seq;

-- name: AddBlockData :exec
INSERT INTO block_data (part_id, sum, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- name: BlockData :one
SELECT data FROM block_data WHERE sum = ? LIMIT 1;

-- name: SaveChangeSet :exec
INSERT INTO change_sets (id, session_id, run_id, call_id, made_at, open, body) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET open = excluded.open, body = excluded.body;

-- name: DeleteChangeSet :exec
DELETE FROM change_sets WHERE id = ?;

-- name: ChangeSets :many
SELECT * FROM change_sets WHERE session_id = ? ORDER BY rowid;

-- name: SessionsWithOpenChangeSets :many
SELECT DISTINCT session_id FROM change_sets WHERE open <> 0 ORDER BY session_id;

-- name: SetWorkspace :execrows
UPDATE sessions SET workspace = ? WHERE id = ?;

-- name: AddFork :exec
INSERT INTO sessions (id, workspace, title, titled_by, created_at, updated_at, reason, groups_off, notices, parent_id, parent_messages, parent_runs, forked_at)
SELECT CAST(sqlc.arg(id) AS TEXT), s.workspace, CAST(sqlc.arg(title) AS TEXT), s.titled_by, CAST(sqlc.arg(now) AS INTEGER), CAST(sqlc.arg(now) AS INTEGER),
    CAST(sqlc.arg(reason) AS TEXT), s.groups_off, CAST(sqlc.arg(notices) AS BLOB), s.id, CAST(sqlc.arg(messages) AS INTEGER), CAST(sqlc.arg(runs) AS INTEGER),
    (SELECT coalesce(max(m.rowid), 0) FROM messages m)
FROM sessions s WHERE s.id = CAST(sqlc.arg(parent_id) AS TEXT);

-- The last message before the first one of a run, or of those after it where it has none: a summary that
-- failed has left no message.
-- name: MessagesBeforeRun :one
SELECT CAST(coalesce(
    (SELECT min(m.number) - 1 FROM runs n JOIN messages m ON m.session_id = n.session_id AND m.run_id = n.id
        WHERE n.session_id = r.session_id AND n.number >= r.number),
    (SELECT max(m.number) FROM messages m WHERE m.session_id = r.session_id), 0) AS INTEGER)
FROM runs r WHERE r.id = ?;

-- The last message of a session, which can be one that it shares with its parent.
-- name: LastMessage :one
SELECT CAST(coalesce((SELECT max(m.number) FROM messages m WHERE m.session_id = s.id), s.parent_messages) AS INTEGER)
FROM sessions s WHERE s.id = ?;

-- name: ForksOf :many
SELECT id, parent_messages, parent_runs FROM sessions WHERE parent_id = ? ORDER BY parent_runs DESC, parent_messages DESC, id;

-- name: GiveMessages :exec
UPDATE messages SET session_id = sqlc.arg(heir) WHERE session_id = sqlc.arg(session_id) AND number <= sqlc.arg(until);

-- name: GiveRuns :exec
UPDATE runs SET session_id = sqlc.arg(heir) WHERE session_id = sqlc.arg(session_id) AND number <= sqlc.arg(until);

-- name: SetParent :exec
UPDATE sessions SET parent_id = ?, parent_messages = ?, parent_runs = ? WHERE id = ?;

-- name: GiveForks :exec
UPDATE sessions SET parent_id = sqlc.arg(heir) WHERE parent_id = sqlc.arg(session_id);
