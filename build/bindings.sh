#!/bin/sh
# Generates the page's view of the bound methods, frontend/wailsjs, from the Go
# code: build/bindings.sh FOLDER, which is the folder that then holds wailsjs.
set -eu
cd "$(dirname "$0")/.."

build/program.sh bindings bin/fairlead-bindings

# The generator empties the folder that wails.json names under the one it runs in,
# so it runs in a folder of its own.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp wails.json "$scratch"
generator=$PWD/bin/fairlead-bindings
if ! said=$(cd "$scratch" && tsoutputtype=interfaces "$generator" 2>&1); then
	echo "$said" >&2
	echo "error: generate the bindings failed" >&2
	exit 1
fi

# Types is bound for its types alone (backend/desktop/open_generate.go).
rm "$scratch"/frontend/wailsjs/go/desktop/Types.*
rm -rf "$1/wailsjs"
mkdir -p "$1"
mv "$scratch/frontend/wailsjs" "$1/wailsjs"
