#!/bin/sh
# Runs every fuzz target for the time given: build/fuzz.sh 2m
set -eu
cd "$(dirname "$0")/.."

# As an ordinary user the tests of confinement could not write into root's cache.
export FAIRLEAD_TEST_AS_ROOT=1
# go test names the targets of a package first and the package after them.
found=$(go test -list '^Fuzz' ./...)
targets=$(echo "$found" | awk '/^Fuzz/ { names[++n] = $1 } /^ok/ { for (i = 1; i <= n; i++) print $2, names[i]; n = 0 }')
if [ -z "$targets" ]; then
	echo "no fuzz targets"
	exit
fi
echo "$targets" | while read -r package name; do
	echo "fuzz $package $name for $1"
	go test -run '^$' -fuzz "^$name\$" -fuzztime "$1" "$package"
done
