#!/bin/sh
# Opens the window on a page that is built anew whenever its source changes. Load
# it again to see a change. The page is in a browser too, with the same program
# behind it. For this computer only: whatever runs on it can reach that address.
set -eu
cd "$(dirname "$0")/.."

address=127.0.0.1:34115
build/page.sh
echo "building the window; the first time, this takes some minutes"
build/program.sh dev bin/fairlead-dev

(cd frontend && exec node node_modules/vite/bin/vite.js build --watch) &
watcher=$!
trap 'kill "$watcher" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
echo "the page is also at http://$address"
assetdir=frontend/dist devserver=$address bin/fairlead-dev
