-- +goose Up

-- What one call changed in the folder, or what taking that back changed.
CREATE TABLE change_sets (
    id         TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    run_id     TEXT NOT NULL,
    call_id    TEXT NOT NULL,
    made_at    INTEGER NOT NULL,
    -- Whether it is not known yet which of its changes were made.
    open       INTEGER NOT NULL,
    -- The changes as JSON.
    body       BLOB NOT NULL
) STRICT;

CREATE INDEX change_sets_by_session ON change_sets (session_id);
CREATE INDEX change_sets_open ON change_sets (session_id) WHERE open <> 0;
