-- +goose Up

-- What commands in the background left when the conversation was closed, for the run
-- that follows: a JSON list.
ALTER TABLE sessions ADD COLUMN notices BLOB NOT NULL DEFAULT x'5b5d';
