#!/bin/sh
# Fetches the Node modules of a folder as its lock file says: build/modules.sh
# frontend. Where they are there, nothing is fetched and nothing said.
set -eu
cd "$(dirname "$0")/../$1"

# A copy of the lock file says what was fetched. Times would lie after git has
# switched branches.
fetched=node_modules/.fetched.json
cmp -s package-lock.json "$fetched" && exit
echo "fetching the modules of $1"
if ! said=$(npm ci 2>&1); then
	echo "$said" >&2
	echo "error: fetch the modules of $1: npm ci failed" >&2
	exit 1
fi
cp package-lock.json "$fetched"
