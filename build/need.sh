#!/bin/sh
# Checks that what a build needs is there: build/need.sh go gcc node window
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
	$root env DEBIAN_FRONTEND=noninteractive apt-get install -q=2 --no-install-recommends $1 >/dev/null
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

# Node builds the window's page.
need_node() {
	want=20.19
	advice="Install Node $want or newer, with npm, from https://nodejs.org."
	if ! have=$(node --version 2>/dev/null); then
		echo "error: Node is missing; it builds the window's page. $advice" >&2
		exit 1
	fi
	have=${have#v}
	if ! at_least "$have" "$want"; then
		echo "error: Node $have is too old to build the window's page. $advice" >&2
		exit 1
	fi
	if ! command -v npm >/dev/null 2>&1; then
		echo "error: npm is missing; it fetches what the window's page is built from. $advice" >&2
		exit 1
	fi
	echo "node $have: ok"
}

# The window links the system's web view, which on Linux is WebKitGTK. macOS brings
# its own, with Xcode's command line tools.
need_window() {
	case $(uname -s) in
	Linux)
		why="to compile the window against the system's web view"
		need_package gcc "gcc libc6-dev" "$why"
		need_package pkg-config pkg-config "$why"
		pkg-config --exists webkit2gtk-4.1 gtk+-3.0 || install_packages "libwebkit2gtk-4.1-dev libgtk-3-dev" "$why"
		;;
	Darwin)
		command -v clang >/dev/null 2>&1 && return
		echo "error: clang is missing; it compiles the window. Install it with: xcode-select --install" >&2
		exit 1
		;;
	esac
}

# need_listed FILE WHY installs the packages that a file lists, one a line, each
# with its reason behind a #. Only Debian and Ubuntu know them by these names.
need_listed() {
	[ -e /etc/debian_version ] || return 0
	missing=
	for package in $(sed 's/#.*//' "$1"); do
		status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) || status=
		[ "$status" = "install ok installed" ] || missing="$missing $package"
	done
	[ -z "$missing" ] || install_packages "${missing# }" "$2"
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
	trace) [ "$(uname -s)" != Linux ] || need_package strace strace "to see in tests what is on the disk before it is shown" ;;
	gcc) need_package gcc "gcc libc6-dev" "for Go's race detector" ;;
	node) need_node ;;
	window) need_window ;;
	package)
		need_package zip zip "to pack the programs for Windows"
		need_package unzip unzip "to look into that package"
		[ ! -e /etc/debian_version ] || need_package makensis nsis "to make the installer for Windows"
		[ "$(uname -s)" != Linux ] || need_package objdump binutils "to find which C library the window needs"
		[ ! -e /etc/debian_version ] || need_package rpm rpm "to look into the rpm package"
		[ ! -e /etc/debian_version ] || need_package desktop-file-validate desktop-file-utils "to check the entry in the desktop's menu"
		;;
	check)
		need_package debootstrap debootstrap "to make a clean system"
		[ -x /sbin/apparmor_parser ] || need_package apparmor_parser apparmor "to check the package's AppArmor profile"
		need_package xprop x11-utils "to see whose a window is"
		;;
	e2e) need_listed e2e/packages.txt "to test the window" ;;
	wine) need_listed build/windows-packages.txt "to run programs for Windows" ;;
	arm64) need_listed build/arm64-packages.txt "to run programs for arm64" ;;
	soak) need_listed e2e/soak-packages.txt "to type Chinese into the window" ;;
	kernels) need_listed build/kernels-packages.txt "to run tests on other file systems and kernels" ;;
	jobs) need_listed backend/tool/shell/packages.txt "to test that everyday commands work while they are confined" ;;
	*)
		echo "error: build/need.sh does not know $need" >&2
		exit 2
		;;
	esac
done
