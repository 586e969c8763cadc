#!/bin/sh
# Builds one of the programs that main.go can be, for the system that GOOS and
# GOARCH name or else for this one: build/program.sh KIND FILE
#
#	cli		the command line: one static program, no display library
#	window		the window as people get it
#	dev		the window as the tests drive it: it can serve its page to a browser
#	bindings	the generator of frontend/wailsjs
#
# build/program.sh KIND alone prints the tags of that kind.
#
# Into those for Linux two small programs are built, which are made first: the one that starts
# commands (backend/sandbox/supervisor/fairlead-supervisor) and the one that reads documents
# (backend/tool/document/fairlead-documents).
set -eu
cd "$(dirname "$0")/.."

system=$(go env GOOS)
flags='-s -w'
CGO_ENABLED=0
case $1 in
cli) tags= ;;
window) tags=desktop,production ;;
dev) tags=dev ;;
bindings) tags=bindings ;;
*)
	echo "error: build/program.sh does not know $1" >&2
	exit 2
	;;
esac
case $1-$system in
window-linux | dev-linux)
	tags=$tags,webkit2_41
	CGO_ENABLED=1
	;;
window-darwin | dev-darwin)
	CGO_ENABLED=1
	export CGO_LDFLAGS="-framework UniformTypeIdentifiers"
	;;
# Else Windows would open a console beside the window.
window-windows) flags="$flags -H windowsgui" ;;
esac
export CGO_ENABLED

arch=$(go env GOARCH)
case $1-$system-$arch in
bindings-*) ;;
*-linux-amd64 | *-linux-arm64)
	tags=${tags:+$tags,}supervisor
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -buildid=' -buildvcs=false \
		-o "backend/sandbox/built/supervisor-$arch" ./backend/sandbox/supervisor/fairlead-supervisor
	documents=backend/tool/document/built/documents-$arch
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -buildid=' -buildvcs=false \
		-o "$documents" ./backend/tool/document/fairlead-documents
	gzip -9nf "$documents"
	;;
esac

if [ -z "${2:-}" ]; then
	echo "$tags"
	exit
fi

# The version is what Go makes of the commit. Where git cannot read the checkout
# (an archive, another owner) Go would refuse to build instead.
stamp=-buildvcs=false
case $1 in
cli | window) ! git rev-parse HEAD >/dev/null 2>&1 || stamp=-buildvcs=true ;;
esac
file=$2
[ "$system" != windows ] || file=$2.exe
# The linker writes through a memory map, which leaves the file in the system's memory in
# single pages: until it is read from the disk anew, it starts more slowly than a copy.
linked=$file.linked
go build -trimpath -ldflags "$flags" -tags "$tags" $stamp -o "$linked" .
rm -f "$file"
cp "$linked" "$file"
rm "$linked"
