-- +goose Up

-- What a call returned is a list of blocks in the body of its part, where older schemas
-- have a text; bodies that they wrote stay as they are, and both are read. A part can also
-- hold an image or a file.

-- The bytes of blocks, which their parts and events name by their sum.
CREATE TABLE block_data (
    part_id TEXT NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    -- The SHA-256 of the bytes, in hex.
    sum     TEXT NOT NULL,
    data    BLOB NOT NULL,
    PRIMARY KEY (part_id, sum)
) STRICT;

CREATE INDEX block_data_by_sum ON block_data (sum);
