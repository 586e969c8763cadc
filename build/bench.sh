#!/bin/sh
# Measures what Fairlead costs, with what is built into its programs:
# build/bench.sh [-only PART,PART...]
set -eu
cd "$(dirname "$0")/.."

go run -tags "$(build/program.sh cli)" ./bench "$@"
