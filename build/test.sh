#!/bin/sh
# Everything CI checks, stage by stage: build/test.sh. Stages that mostly wait, in a
# window or a browser, run beside those that compute. The first failure ends both. At the
# end it tells how many seconds each stage took. build/test.sh quick is what is quick of it.
set -eu
cd "$(dirname "$0")/.."

work=$(mktemp -d)
: >"$work/times"
began=$(date +%s)
beside=
shown=0

# stage NAME COMMAND... runs a stage in the foreground.
stage() {
	show_beside
	[ ! -e "$work/failed" ] || fail "$1" 1
	echo
	echo "== $1"
	start=$(date +%s)
	name=$1
	shift
	"$@" || fail "$name" $?
	took "$start" "$name"
}

# took START NAME notes how long a stage took.
took() {
	printf '%5d s  %s\n' $(($(date +%s) - $1)) "$2" >>"$work/times"
}

# fail NAME CODE ends all, unless it was ended by the failure of a stage beside it.
fail() {
	[ -e "$work/failed" ] || echo "$1" >"$work/failed"
	end_beside
	show_beside
	finish "FAILED: $(cat "$work/failed")" "$2"
}

# finish VERDICT CODE
finish() {
	echo
	cat "$work/times"
	printf '%5d s  in all\n' $(($(date +%s) - began))
	echo "$1"
	exit "$2"
}

# run_beside NAME COMMAND... runs a stage in the second lane, whose output is kept until
# the stage has ended. A failure there ends what runs in the foreground.
run_beside() {
	start=$(date +%s)
	count=$((${count:-0} + 1))
	name=$1
	shift
	code=0
	"$@" >"$work/log.$count" 2>&1 </dev/null || code=$?
	{ echo && echo "== $name" && cat "$work/log.$count"; } >"$work/beside.new"
	mv "$work/beside.new" "$work/beside.$count"
	[ "$code" = 0 ] || {
		[ -e "$work/failed" ] || echo "$name" >"$work/failed"
		# The shell in the foreground goes on when its stage has ended, and finds the note.
		# Unquoted, because there are several.
		end $(below $$ "$(cat "$work/lane")")
		exit "$code"
	}
	took "$start" "$name"
}

# show_beside prints the output of the stages that ended beside the last ones.
show_beside() {
	while [ -e "$work/beside.$((shown + 1))" ]; do
		shown=$((shown + 1))
		cat "$work/beside.$shown"
	done
}

# below PID [BUT] names what a process has started, however deep below, but for one of
# these with all below it.
below() {
	ps -A -o pid= -o ppid= | awk -v root="$1" -v but="${2:-none}" '
		{ parent[$1] = $2 }
		END {
			for (pid in parent) {
				at = pid
				while (at in parent && at != root && at != but) at = parent[at]
				if (at == root && pid != root) print pid
			}
		}'
}

# end PID... ends processes, some of which may have ended by themselves.
end() {
	for pid; do
		kill "$pid" 2>/dev/null || true
	done
}

# end_beside ends the second lane. Its shell goes first, else it would take the end of a
# stage for a failure.
end_beside() {
	[ -n "$beside" ] || return 0
	# Unquoted, because there are several.
	end "$beside" $(below "$beside")
	wait "$beside" 2>/dev/null || true
	beside=
}

# await_beside waits for the second lane.
await_beside() {
	code=0
	wait "$beside" || code=$?
	beside=
	[ "$code" = 0 ] || fail "what ran beside" "$code"
	show_beside
}

leave() {
	code=$?
	trap - EXIT
	end_beside
	rm -rf "$work"
	exit "$code"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

formatted() {
	unformatted=$(find . -name node_modules -prune -o -name '*.go' -print0 | xargs -0 gofmt -l) || return
	[ -z "$unformatted" ] && return
	echo "not formatted (make fmt): $unformatted"
	return 1
}

# The page's script, compressed, in bytes at most.
page_budget=300000

# What else lies in the page's folders is fetched and built before.
page() {
	npm --prefix frontend run lint && npm --prefix e2e run lint && npm --prefix frontend run types &&
		npm --prefix frontend test || return
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
	build/queries.sh "$work/queries" || return
	diff -r backend/store/queries "$work/queries" && return
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

# For this system the other stages build it all.
built() {
	for system in $systems; do
		[ "$system" != "$(go env GOOS)/$(go env GOARCH)" ] || continue
		echo "go build for $system"
		GOOS=${system%/*} GOARCH=${system#*/} CGO_ENABLED=0 go build -buildvcs=false -o /dev/null ./... || return
	done
}

# The packages whose tests hold something to a time, under backend. Those that take
# longest are named first, else one of them would be last, alone.
timed="tool/shell cli process store tool/search tool/file desktop workspace/watch workspace/names workspace llm/wire llm/tokens"

# watched ARGUMENT... is go test with the race detector, which needs cgo. The seeds of the
# fuzz targets run as tests.
#
# SQLite is C that was translated to Go, with its data outside Go's memory, where the
# detector does not look. Watched all the same, it takes several times as long. And by
# itself the detector waits a second at the end of each package for late reports.
watched() {
	CGO_ENABLED=1 GORACE=atexit_sleep_ms=100 go test -race -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc=-race=false \
		-timeout 25m "$@"
}

# The tests of all other packages.
untimed_tests() {
	# Unquoted, here and below, because there are several.
	watched -shuffle=on $(go list ./... | grep -vxE "fairlead/backend/($(echo $timed | tr ' ' '|'))")
}

timed_tests() {
	watched -shuffle=on $(printf './backend/%s ' $timed) || return
	# As root the tests of confinement become an ordinary user, but for this one.
	[ "$(id -u)" != 0 ] || FAIRLEAD_TEST_AS_ROOT=1 watched -run TestSEC02_RootIsLevelNone ./backend/tool/shell
}

# The tests that the detector's build leaves out: those of the files that start with
# //go:build !race. Into such a file belongs what computes for long in one goroutine, where
# the detector has nothing to look at, and programs that are started again and again. Where
# it holds that to a tight time the file has _time_ in its name.
unwatched_files() {
	grep -rl --include='*_test.go' '^//go:build.*!race' backend
}

# unwatched_in FILE... runs the tests of these files, with the flags in FLAGS.
unwatched_in() {
	names=$(sed -nE 's/^func ((Test|Fuzz|Example)[[:alnum:]_]*)\(.*/\1/p' "$@" | paste -s -d '|' -)
	CGO_ENABLED=0 go test ${FLAGS-} -shuffle=on -run "^($names)\$" $(dirname "$@" | sed 's|^|./|' | sort -u)
}

unwatched() {
	unwatched_in $(unwatched_files | grep -v _time_)
}

# What is held to a tight time runs alone, one package after the other.
alone() {
	FLAGS='-p 1' unwatched_in $(unwatched_files | grep _time_)
}

tools() {
	go -C tools vet ./... && go -C tools test -count=1 -shuffle=on ./...
}

# The page and the one build of the window that the tests drive.
driven() {
	build/page.sh && build/program.sh dev bin/fairlead-dev && build/modules.sh e2e
}

# The window for the systems that it can be compiled for here.
window() {
	for kind in window dev bindings; do
		echo "go vet of the $kind program"
		# Unquoted, because there are several packages.
		CGO_ENABLED=1 go vet -tags "$(build/program.sh $kind)" $window_packages || return
	done
	go vet -tags e2e ./e2e/... || return
	echo "go build of the window for windows"
	GOOS=windows CGO_ENABLED=0 go build -buildvcs=false -tags "$(GOOS=windows build/program.sh window)" -o /dev/null .
}

window_packages=". ./backend/desktop ./frontend"

# beside_all is the second lane.
beside_all() {
	run_beside "native window" build/e2e.sh native
	run_beside "browser" build/e2e.sh browser
	run_beside "tests, unwatched" unwatched
	run_beside "screens" build/e2e.sh screens
}

# Go keeps the results of tests whose packages have not changed, where their order is
# not shuffled. Those of confinement run each time, without the longest. The page's tests
# are those of what is not committed.
quick() {
	stage "gofmt" formatted
	stage "vet" go vet ./...
	stage "page" quick_page
	stage "tests" go test -short ./...
	finish "passed what is quick; make test checks the rest" 0
}

quick_page() {
	build/modules.sh frontend && npm --prefix frontend run types && npm --prefix frontend test -- --changed --passWithNoTests
}

# yielding FUNCTION is a stage that leaves the processor to the windows beside it, where
# people type in real time.
yielding() {
	nice -n 19 build/test.sh only "$1"
}

# await_first waits until the first stage of the second lane has ended.
await_first() {
	while [ ! -e "$work/beside.1" ]; do sleep 1; done
}

case ${1:-all} in
all) ;;
quick) quick ;;
only)
	"$2"
	exit
	;;
*)
	echo "error: build/test.sh does not know $1" >&2
	exit 2
	;;
esac

# build/program.sh compiles with this flag, to leave the paths of this machine out of programs.
# What all stages compile with the same flags is compiled once.
export GOFLAGS="-trimpath${GOFLAGS:+ $GOFLAGS}"

stage "what is needed" build/need.sh go node gcc trace window package e2e jobs
stage "gofmt" formatted
stage "page and window" driven
beside_all &
beside=$!
echo "$beside" >"$work/lane"
stage "page" yielding page
stage "bindings" yielding bindings
stage "queries" yielding queries
stage "vet" yielding vetted
stage "lint" nice -n 19 build/lint.sh
stage "build" yielding built
stage "tools" yielding tools
stage "window" yielding window
# It makes files that the build for Windows takes in, so nothing is built beside it.
stage "package" nice -n 19 build/package-test.sh
stage "tests, untimed" yielding untimed_tests
# What is held to a time is not run beside the native window.
stage "native window, the rest" await_first
stage "tests, timed" timed_tests
await_beside
stage "tests, alone" alone
finish "all passed" 0
