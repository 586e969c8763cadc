#!/bin/sh
# Builds bin/fairlead, the command line, and beside it bin/fairlead-window.
set -eu
cd "$(dirname "$0")/.."

build/program.sh cli bin/fairlead
build/page.sh
echo "building the window; the first time, this takes some minutes"
build/program.sh window bin/fairlead-window
