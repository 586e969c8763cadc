#!/bin/sh
# Builds the window's page into frontend/dist, unless nothing has changed since it
# was built. Says little unless something fails.
set -eu
cd "$(dirname "$0")/.."

build/modules.sh frontend

cd frontend
# Folders count too: only theirs is the time that changes with a deleted file.
newer=$(find src wailsjs index.html package-lock.json ./*.ts ! -newer dist/index.html -o -print 2>&1 | head -n 1)
[ -n "$newer" ] || exit 0
echo "building the window's page"
if ! said=$(npm run build 2>&1); then
	echo "$said" >&2
	echo "error: build the window's page: npm run build failed in frontend" >&2
	exit 1
fi
