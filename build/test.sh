#!/bin/sh
# Everything CI checks, stage by stage, what is quick first; stops at the first
# failure. Says at the end how many seconds each stage took.
set -eu
cd "$(dirname "$0")/.."

times=$(mktemp)
trap 'rm -f "$times"' EXIT
began=$(date +%s)

# stage NAME COMMAND...
stage() {
	name=$1
	shift
	echo
	echo "== $name"
	start=$(date +%s)
	"$@" || failed=$?
	printf '%5d s  %s\n' $(($(date +%s) - start)) "$name" >>"$times"
	[ -z "${failed:-}" ] || finish "FAILED: $name" "$failed"
}

# finish VERDICT CODE
finish() {
	echo
	cat "$times"
	printf '%5d s  in all\n' $(($(date +%s) - began))
	echo "$1"
	exit "$2"
}

formatted() {
	unformatted=$(find . -name node_modules -prune -o -name '*.go' -print0 | xargs -0 gofmt -l) || return
	[ -z "$unformatted" ] && return
	echo "not formatted (make fmt): $unformatted"
	return 1
}

# The page's script, compressed, in bytes at most.
page_budget=240000

page() {
	build/modules.sh frontend && npm --prefix frontend run lint && npm --prefix e2e run lint &&
		npm --prefix frontend run types && npm --prefix frontend test && build/page.sh || return
	size=$(find frontend/dist -name '*.js' -exec cat {} + | gzip -9 | wc -c)
	echo "the page's script: $size bytes compressed, at most $page_budget"
	[ "$size" -le "$page_budget" ]
}

bindings() {
	build/bindings.sh bin || return
	diff -r frontend/wailsjs bin/wailsjs && return
	echo "frontend/wailsjs is not what the Go code says (make gen)"
	return 1
}

# The first time, Go builds the generator from source.
queries() {
	build/queries.sh bin/queries || return
	diff -r backend/store/queries bin/queries && return
	echo "backend/store/queries is not what the SQL there says (make gen)"
	return 1
}

systems="linux/amd64 darwin/arm64 windows/amd64"

vetted() {
	for system in $systems; do
		echo "go vet for $system"
		GOOS=${system%/*} GOARCH=${system#*/} CGO_ENABLED=0 go vet ./... || return
	done
}

built() {
	for system in $systems; do
		echo "go build for $system"
		GOOS=${system%/*} GOARCH=${system#*/} CGO_ENABLED=0 go build -buildvcs=false -o /dev/null ./... || return
	done
}

# The race detector needs cgo. The seeds of the fuzz targets run as tests.
unit() {
	CGO_ENABLED=1 go test -race -shuffle=on -timeout 25m ./... || return
	# As root the tests of confinement become an ordinary user, but for this one.
	[ "$(id -u)" != 0 ] || FAIRLEAD_TEST_AS_ROOT=1 go test -run TestSEC02_RootIsLevelNone ./backend/tool/shell
}

tools() {
	go -C tools vet ./... && go -C tools test -count=1 -shuffle=on ./...
}

# The one build of the window that the tests drive, and the window for the systems
# that it can be compiled for here. The flags are those of build/program.sh, so
# that the window library is compiled once.
window() {
	build/program.sh dev bin/fairlead-dev || return
	for kind in window dev bindings; do
		echo "go vet of the $kind program"
		# Unquoted, because there are several packages.
		CGO_ENABLED=1 GOFLAGS=-trimpath go vet -tags "$(build/program.sh $kind)" $window_packages || return
	done
	go vet -tags e2e ./e2e/... || return
	echo "go build of the window for windows"
	GOOS=windows CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags "$(GOOS=windows build/program.sh window)" -o /dev/null .
}

window_packages=". ./backend/desktop ./frontend"

stage "what is needed" build/need.sh go node gcc trace window package e2e jobs
stage "gofmt" formatted
stage "page" page
stage "bindings" bindings
stage "queries" queries
stage "vet" vetted
stage "lint" build/lint.sh
stage "build" built
stage "tests" unit
stage "tools" tools
stage "window" window
stage "native window" build/e2e.sh native
stage "browser" build/e2e.sh browser
stage "screens" build/e2e.sh screens
stage "package" build/package-test.sh
finish "all passed" 0
