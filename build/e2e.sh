#!/bin/sh
# Tests in the window, on a desktop of their own: build/e2e.sh native, browser,
# screens. build/e2e.sh screenshots makes the pictures anew that screens compares
# with, and those of the READMEs, which show the real window. They need
# bin/fairlead-dev and the built page.
set -eu
cd "$(dirname "$0")/.."

# They need a display server, a keyring, and assistive technology as Debian has
# them; so much is not to be had by one name on every system.
if [ ! -e /etc/debian_version ]; then
	echo "skipped: this needs the packages of e2e/packages.txt, which are Debian's and Ubuntu's"
	exit
fi

case $1 in
native) exec e2e/desktop.sh go test -tags e2e -count=1 ./e2e/native ;;
browser) set -- npm test ;;
screens) set -- node screens/make.mjs --check ;;
screenshots)
	FAIRLEAD_PICTURES=$PWD/docs e2e/desktop.sh go test -tags e2e -count=1 -run TestPictures ./e2e/native
	set -- node screens/make.mjs
	;;
*)
	echo "error: build/e2e.sh does not know $1" >&2
	exit 2
	;;
esac
build/modules.sh e2e
cd e2e
exec ./desktop.sh "$@"
