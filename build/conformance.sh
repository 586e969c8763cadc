#!/bin/sh
# Runs the conformance suites of the Model Context Protocol on a client, all scenarios or
# one: build/conformance.sh [SCENARIO]. docs/extensions.md has the last result.
set -eu
cd "$(dirname "$0")/.."
build/modules.sh backend/mcp/conformance

place=$(mktemp -d "${TMPDIR:-/tmp}/conformance.XXXXXX")
trap 'rm -rf "$place"' EXIT
trap 'exit 130' HUP INT TERM
CGO_ENABLED=0 go build -trimpath -o "$place/client" ./backend/mcp/conformance
node backend/mcp/conformance/run.mjs "$place/client" "$@"
