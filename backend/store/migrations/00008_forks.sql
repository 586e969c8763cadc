-- +goose Up

-- The conversation that one was forked from: it begins with the first messages and runs of
-- that, so many, and its own have the numbers after those.
ALTER TABLE sessions ADD COLUMN parent_id TEXT;
ALTER TABLE sessions ADD COLUMN parent_messages INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN parent_runs INTEGER NOT NULL DEFAULT 0;
-- The row of the last message that there was then: it is listed as if that were its own.
ALTER TABLE sessions ADD COLUMN forked_at INTEGER NOT NULL DEFAULT 0;

CREATE INDEX sessions_by_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL;

-- Parts that a session shows a model without their output, since its last message had a number: a
-- fork has those of its parent from before it was forked.
CREATE TABLE pruned (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    part_id    TEXT NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,
    PRIMARY KEY (session_id, part_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX pruned_by_part ON pruned (part_id);

INSERT INTO pruned (session_id, part_id, number)
SELECT m.session_id, p.id, 0 FROM outlines o JOIN parts p ON p.id = o.part_id JOIN messages m ON m.id = p.message_id WHERE o.pruned <> 0;

ALTER TABLE outlines DROP COLUMN pruned;
