#!/bin/sh
# Lints the program as each system compiles it, then the developer's tools.
set -eu
cd "$(dirname "$0")/.."

# The path is asked for once: go tool under another GOOS would build the linter
# for that system.
echo "linter: the first time, Go builds it from source, which takes some minutes"
linter=$(go tool -n -modfile=tools/go.mod golangci-lint)

for system in linux darwin windows; do
	echo "lint for $system"
	GOOS=$system CGO_ENABLED=0 "$linter" run ./...
done
echo "lint tools"
cd tools
"$linter" run ./...
