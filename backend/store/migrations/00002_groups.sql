-- +goose Up

-- The groups of tools that a person switched off in the conversation: their names,
-- separated by commas.
ALTER TABLE sessions ADD COLUMN groups_off TEXT NOT NULL DEFAULT '';
