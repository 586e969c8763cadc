-- +goose Up

-- What was decided is told by the events, which have been read instead of this table.
DROP TABLE decisions;
