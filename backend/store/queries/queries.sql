-- name: AddSession :exec
INSERT INTO sessions (id, workspace, title, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (id) DO NOTHING;

-- name: TouchSession :exec
UPDATE sessions SET updated_at = ? WHERE id = ?;

-- name: RenameSession :execrows
UPDATE sessions SET title = ? WHERE id = ?;

-- name: DeleteSession :execrows
DELETE FROM sessions WHERE id = ?;

-- name: Session :one
SELECT id, workspace, title, created_at, updated_at
FROM sessions WHERE id = ?;

-- name: Sessions :many
SELECT id, workspace, title, created_at, updated_at
FROM sessions ORDER BY updated_at DESC, id DESC LIMIT ?;

-- name: SessionsOf :many
SELECT id, workspace, title, created_at, updated_at
FROM sessions WHERE workspace = ? ORDER BY updated_at DESC, id DESC LIMIT ?;

-- name: AddRun :exec
INSERT INTO runs (id, session_id, number, started_at)
VALUES (sqlc.arg(id), sqlc.arg(session_id),
    (SELECT coalesce(max(r.number), 0) + 1 FROM runs r WHERE r.session_id = sqlc.arg(session_id)),
    sqlc.arg(started_at));

-- name: EndRun :exec
UPDATE runs SET ended_at = ?, reason = ? WHERE id = ?;

-- name: RunsOf :many
SELECT * FROM runs WHERE session_id = ? ORDER BY number;

-- name: RunsAtWork :many
SELECT * FROM runs WHERE ended_at IS NULL ORDER BY session_id, number;

-- name: AddMessage :exec
INSERT INTO messages (id, session_id, run_id, number, role, name, synthetic, created_at)
VALUES (sqlc.arg(id), sqlc.arg(session_id), sqlc.arg(run_id),
    (SELECT coalesce(max(m.number), 0) + 1 FROM messages m WHERE m.session_id = sqlc.arg(session_id)),
    sqlc.arg(role), sqlc.arg(name), sqlc.arg(synthetic), sqlc.arg(created_at));

-- name: AddPart :exec
INSERT INTO parts (id, message_id, number, body) VALUES (?, ?, ?, ?);

-- name: SetPart :exec
UPDATE parts SET body = ? WHERE id = ?;

-- name: MessagesOf :many
SELECT m.id, m.run_id, m.role, m.name, m.synthetic, m.created_at, p.body
FROM messages m JOIN parts p ON p.message_id = m.id
WHERE m.session_id = ? ORDER BY m.number, p.number;

-- name: AddEvent :exec
INSERT INTO events (run_id, seq, ts, type, data) VALUES (?, ?, ?, ?, ?);

-- name: EventsAfter :many
SELECT seq, ts, type, data FROM events WHERE run_id = ? AND seq > ? ORDER BY seq;

-- name: AddDecision :exec
INSERT INTO decisions (run_id, seq, call_id, verdict, decided_by, reason, arguments, decided_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);
