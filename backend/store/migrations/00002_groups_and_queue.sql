-- +goose Up

-- The groups of tools that a person switched off in the conversation: their names,
-- separated by commas.
ALTER TABLE sessions ADD COLUMN groups_off TEXT NOT NULL DEFAULT '';

-- The prompts that wait in the conversation: a JSON list.
ALTER TABLE sessions ADD COLUMN queue BLOB NOT NULL DEFAULT x'5b5d';
