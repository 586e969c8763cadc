#!/bin/sh
# The tests that are long by nature, in their long form: races, thousands of files,
# minutes of typing. `make test` runs the same tests for at most 10 s each. What they
# found last, and when, stands in docs/soak.md.
set -eu
cd "$(dirname "$0")/.."

export FAIRLEAD_SOAK=1
go test -count=1 -timeout 60m -run Soak -v ./backend/...
[ -e /etc/debian_version ] || exit 0
build/page.sh
build/program.sh dev bin/fairlead-dev
e2e/desktop.sh go test -tags e2e -count=1 -timeout 60m -run Soak -v ./e2e/native
exec build/kernels.sh
