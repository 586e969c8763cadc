#!/bin/sh
# Everything CI checks, stage by stage; stops at the first failure. Says at the end
# how many seconds each stage took.
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
	unformatted=$(gofmt -l .) || return
	[ -z "$unformatted" ] && return
	echo "not formatted (make fmt): $unformatted"
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
	CGO_ENABLED=1 go test -race -shuffle=on ./...
}

tools() {
	go -C tools vet ./... && go -C tools test -shuffle=on ./...
}

stage "what is needed" build/need.sh go node gcc
stage "gofmt" formatted
stage "vet" vetted
stage "lint" build/lint.sh
stage "build" built
stage "tests" unit
stage "tools" tools
finish "all passed" 0
