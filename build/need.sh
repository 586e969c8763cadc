#!/bin/sh
# Checks that what a build needs is there: build/need.sh go gcc node
# On Debian it installs what is missing; elsewhere it says what to install.
set -eu

# need_package COMMAND PACKAGES WHY
need_package() {
	command -v "$1" >/dev/null 2>&1 && return
	install_packages "$2" "$3"
}

# install_packages PACKAGES WHY
install_packages() {
	root=
	[ "$(id -u)" = 0 ] || root=sudo
	if ! command -v apt-get >/dev/null 2>&1 || ! command -v ${root:-env} >/dev/null 2>&1; then
		echo "error: $1 is missing; it is needed $2. Install it and try again." >&2
		exit 1
	fi
	echo "installing $1, needed $2"
	$root apt-get update -q=2
	# Unquoted, because there can be several packages.
	$root env DEBIAN_FRONTEND=noninteractive apt-get install -q=2 --no-install-recommends $1
}

# at_least HAVE WANT compares versions.
at_least() {
	[ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]
}

# go env switches to the toolchain of go.mod where GOTOOLCHAIN allows it, so the
# version it answers is the one that will build.
need_go() {
	want=$(sed -n 's/^go //p' go.mod)
	advice="Install Go $want or newer from https://go.dev/dl, or set GOTOOLCHAIN=auto to let Go fetch it."
	if ! command -v go >/dev/null 2>&1; then
		echo "error: Go is missing. $advice" >&2
		exit 1
	fi
	if ! have=$(go env GOVERSION 2>&1); then
		echo "error: this Go cannot build Fairlead ($have). $advice" >&2
		exit 1
	fi
	have=${have#go}
	have=${have%% *}
	if ! at_least "$have" "$want"; then
		echo "error: Go $have is too old. $advice" >&2
		exit 1
	fi
	echo "go $have: ok"
}

# Node builds the window's page. Without it the command line builds all the same.
note_node() {
	want=20.19
	have=$(node --version 2>/dev/null) || have=
	have=${have#v}
	if [ -z "$have" ]; then
		echo "node: not found; the command line does without, the window will need $want or newer"
	elif ! at_least "$have" "$want"; then
		echo "node $have: too old; the command line does without, the window will need $want or newer"
	else
		echo "node $have: ok"
	fi
}

# Without them Go cannot fetch modules, and says only that a signature is unknown.
need_certificates() {
	[ -e /etc/debian_version ] || return 0
	[ -e /etc/ssl/certs/ca-certificates.crt ] && return
	[ -n "${SSL_CERT_FILE:-}" ] && return
	install_packages ca-certificates "to fetch Go modules"
}

cd "$(dirname "$0")/.."
for need; do
	case $need in
	go) need_certificates && need_go ;;
	gcc) need_package gcc "gcc libc6-dev" "for Go's race detector" ;;
	node) note_node ;;
	*)
		echo "error: build/need.sh does not know $need" >&2
		exit 2
		;;
	esac
done
