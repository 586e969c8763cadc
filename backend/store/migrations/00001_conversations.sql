-- +goose Up

-- A conversation in a workspace.
CREATE TABLE sessions (
    id         TEXT PRIMARY KEY,
    workspace  TEXT NOT NULL,
    title      TEXT NOT NULL,
    -- Who found the title: words (the first ones of the task), model or person.
    titled_by  TEXT NOT NULL,
    -- Times are milliseconds since 1970-01-01 UTC.
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    -- Why its last run ended; null while that is at work.
    reason     TEXT,
    -- When it was deleted by a person who may still change their mind; null else.
    hidden_at  INTEGER
) STRICT;

CREATE INDEX sessions_by_workspace ON sessions (workspace, updated_at);
CREATE INDEX sessions_by_time ON sessions (updated_at);

-- One prompt being worked on.
CREATE TABLE runs (
    id         TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    -- Counts the runs of a session from 1.
    number     INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    -- Null while it is at work.
    ended_at   INTEGER,
    reason     TEXT,
    UNIQUE (session_id, number)
) STRICT;

CREATE INDEX runs_at_work ON runs (session_id) WHERE ended_at IS NULL;

CREATE TABLE messages (
    id         TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    run_id     TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    -- Counts the messages of a session from 1.
    number     INTEGER NOT NULL,
    role       TEXT NOT NULL,
    name       TEXT NOT NULL,
    synthetic  INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (session_id, number)
) STRICT;

CREATE TABLE parts (
    id         TEXT PRIMARY KEY,
    message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    -- Counts the parts of a message from 1.
    number     INTEGER NOT NULL,
    -- The part as JSON.
    body       BLOB NOT NULL,
    UNIQUE (message_id, number)
) STRICT;

-- What happened in a run, as everybody was shown it.
CREATE TABLE events (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq    INTEGER NOT NULL,
    ts     INTEGER NOT NULL,
    type   TEXT NOT NULL,
    data   BLOB NOT NULL,
    PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

-- What was decided about calls.
CREATE TABLE decisions (
    run_id     TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    -- The event that told of it.
    seq        INTEGER NOT NULL,
    call_id    TEXT NOT NULL,
    verdict    TEXT NOT NULL,
    decided_by TEXT NOT NULL,
    reason     TEXT NOT NULL,
    -- The arguments that were decided on, as JSON.
    arguments  BLOB NOT NULL,
    decided_at INTEGER NOT NULL,
    PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;
