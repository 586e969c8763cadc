#!/bin/sh
# Lints the program as each system compiles it, the window, the tests in it, the words
# and names of all, then the tools of developers.
set -eu
cd "$(dirname "$0")/.."

# The path is asked for once: go tool under another GOOS would build the linter
# for that system.
echo "linter: the first time, Go builds it from source, which takes some minutes"
linter=$(go tool -n -modfile=tools/go.mod golangci-lint)

# files lists the packages with the files that a system compiles of each.
files() {
	GOOS=$1 CGO_ENABLED=0 go list -tags e2e \
		-f '{{.ImportPath}} {{.GoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}' ./... | sort
}

# own lists the packages of a system that are not made of the same files on Linux.
own() {
	files linux >"$work/linux"
	files "$1" | comm -13 "$work/linux" - | sed 's,^fairlead,.,; s, .*,,'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "lint for linux"
GOOS=linux CGO_ENABLED=0 "$linter" run --build-tags e2e ./...
for system in darwin windows; do
	echo "lint for $system of what differs there"
	# Unquoted, because there are several packages.
	GOOS=$system CGO_ENABLED=0 "$linter" run --build-tags e2e $(own "$system")
done

# The same flags as in build/program.sh, so that the window library is compiled
# once for both.
tags=$(build/program.sh window)
window=". ./backend/desktop ./frontend"
if [ "$(uname -s)" != Linux ]; then
	echo "lint of the window: skipped, it is done on Linux"
elif ! pkg-config --exists webkit2gtk-4.1 gtk+-3.0 2>/dev/null; then
	echo "lint of the window: skipped, libwebkit2gtk-4.1-dev and libgtk-3-dev are missing (make test installs them)"
else
	echo "lint of the window"
	build/page.sh
	# Unquoted, because there are several packages.
	CGO_ENABLED=1 GOFLAGS=-trimpath "$linter" run --build-tags "$tags" $window
fi
echo "words"
go -C tools run ./words ..
echo "names of functions"
go -C tools run ./names ..
echo "lint tools"
cd tools
"$linter" run ./...
