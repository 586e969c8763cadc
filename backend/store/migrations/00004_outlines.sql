-- +goose Up

-- What is known of a part without reading it. It can be made anew from the part, but for
-- the mark of pruning, without which a conversation is pruned again.
CREATE TABLE outlines (
    part_id       TEXT PRIMARY KEY REFERENCES parts (id) ON DELETE CASCADE,
    -- The part as JSON without its long texts; null where it has none, or where nobody
    -- needed this yet.
    body          BLOB,
    -- How many tokens the part takes, of a call without its output, and how many the
    -- output; null until somebody needs it.
    tokens        INTEGER,
    output_tokens INTEGER,
    -- Whether the model is shown no more than a title of the output.
    pruned        INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
