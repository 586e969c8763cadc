#!/bin/sh
# Builds the window's page into frontend/dist. What has not changed is not done
# again, and then nothing is fetched. Says nothing unless something fails.
#
#	build/page.sh		what it is built from, then the page
#	build/page.sh modules	what it is built from only
set -eu
cd "$(dirname "$0")/../frontend"

# quietly COMMAND... shows what a command said only where it fails.
quietly() {
	said=$("$@" 2>&1) && return
	echo "$said" >&2
	echo "error: $* failed in frontend" >&2
	exit 1
}

# A copy of the lock file says what the modules were fetched for. Times would lie
# after git has switched branches.
fetched=node_modules/.fetched-for.json
if ! cmp -s package-lock.json "$fetched"; then
	echo "fetching what the window's page is built from"
	quietly npm ci
	cp package-lock.json "$fetched"
fi
[ "${1:-}" != modules ] || exit 0

# Folders count too: theirs is the only time that a deleted file changes.
newer=$(find src wailsjs index.html ./*.json ./*.ts "$fetched" ! -newer dist/index.html -o -print 2>&1 | head -n 1)
if [ -n "$newer" ]; then
	echo "building the window's page"
	quietly npm run build
fi
