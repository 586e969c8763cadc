#!/bin/sh
# Tries the code for Windows under Wine: build/windows.sh [PACKAGE...], where a package is
# named as below backend. What passes is evidence; what fails may be Wine's fault.
set -eu
cd "$(dirname "$0")/.."

# A Windows of its own, so that nothing of the user's is seen or changed.
WINEPREFIX=$PWD/bin/wine
# Wine tells what it lacks, thousands of times.
WINEDEBUG=-all
export WINEPREFIX WINEDEBUG

build/wine.sh

# It stays between the programs, because its start takes seconds. The first of them starts its
# services, which keep that one's output open for as long. One of a run that was killed may be there.
wineserver -k || true
wineserver -p
trap 'wineserver -k || true' EXIT
trap 'exit 130' HUP INT TERM
wine wineboot >/dev/null 2>&1

echo "building the programs for the tests"
programs=$PWD/bin/windows
mkdir -p "$programs"
GOOS=windows build/program.sh cli "$programs/fairlead"
FAIRLEAD_TEST_PROGRAMS=$programs
export FAIRLEAD_TEST_PROGRAMS

go -C tools run ./foreign windows/amd64 wine foreign/windows.txt .. "$@"
