#!/bin/sh
# Generates Go from the queries in SQL: build/queries.sh FOLDER, which is the folder
# that then holds what belongs into backend/store/queries.
set -eu
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -R backend/store/sqlc.yaml backend/store/migrations backend/store/queries "$scratch"
# Without cgo, because its parsers of other databases are in C.
CGO_ENABLED=0 go tool -modfile=tools/queries/go.mod sqlc generate --file "$scratch/sqlc.yaml"
rm -rf "$1"
mkdir -p "$1"
cp "$scratch"/queries/* "$1"
