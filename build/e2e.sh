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

# seen prints a sum of all that the stage screens depends on: the page, the scripts and
# what they read, the accepted pictures, the browser and the fonts.
seen() {
	{
		find frontend/dist frontend/src/i18n e2e/screens e2e/browser/harness backend/desktop/routes.go \
			e2e/package.json e2e/package-lock.json e2e/desktop.sh \
			frontend/package-lock.json build/e2e.sh -type f -exec sha256sum {} + | LC_ALL=C sort -k 2
		dpkg-query -W -f '${Package} ${Version} ${Status}\n' 'chromium*' 'fonts-*' 'libfreetype6*' 'fontconfig*' libharfbuzz0b || true
		echo "${CHROMIUM:-} ${FAIRLEAD_PAGE:-}"
	} | sha256sum
}

# as_nobody runs tests of the native window as a user who may not see this folder, in a copy
# of what they need. Pictures that they take come back into docs/pictures.
as_nobody() {
	place=$(mktemp -d "${TMPDIR:-/tmp}/native.XXXXXX")
	trap 'rm -rf "$place"' EXIT
	trap 'exit 130' HUP INT TERM
	mkdir -p "$place/bin" "$place/e2e" "$place/frontend/src" "$place/home" "$place/tmp" "$place/pictures"
	go test -tags e2e -c -o "$place/bin/native.test" ./e2e/native
	cp bin/fairlead-dev "$place/bin"
	cp -r e2e/native e2e/desktop.sh "$place/e2e"
	cp -r frontend/dist "$place/frontend"
	cp -r frontend/src/i18n "$place/frontend/src"
	chown -R 65534:65534 "$place"
	(
		cd "$place/e2e/native"
		env HOME="$place/home" TMPDIR="$place/tmp" USER=nobody LOGNAME=nobody ${FAIRLEAD_PICTURES:+FAIRLEAD_PICTURES="$place/pictures"} \
			setpriv --reuid=65534 --regid=65534 --clear-groups ../desktop.sh ../../bin/native.test "$@"
	)
	find "$place/pictures" -name '*.png' -exec cp {} docs/pictures/ \;
	rm -rf "$place" # what follows may take the place of this shell, and of its traps
}

case $1 in
native)
	e2e/desktop.sh go test -tags e2e -count=1 -timeout 25m ./e2e/native
	[ "$(id -u)" = 0 ] || exit 0
	# The commands of root do not work on a copy: what is about that runs once more.
	as_nobody -test.timeout 10m -test.run '^TestPRE'
	exit
	;;
browser)
	go build -buildvcs=false -o bin/model ./e2e/model
	export FAIRLEAD_MODEL_SERVER="$PWD/bin/model"
	set -- npm test
	;;
screens)
	# A new clone, and one that was cleaned, has no such note.
	compared=$PWD/bin/screens.compared
	seen=$(seen)
	if [ "$(cat "$compared" 2>/dev/null)" = "$seen" ]; then
		echo "as looked at before: neither the page nor what it is looked at with has changed"
		exit
	fi
	build/modules.sh e2e
	rm -f "$compared"
	(cd e2e && ./desktop.sh npm run screens)
	mkdir -p bin
	echo "$seen" >"$compared"
	exit
	;;
screenshots)
	export FAIRLEAD_PICTURES="$PWD/docs/pictures"
	if [ "$(id -u)" = 0 ]; then
		as_nobody -test.run '^TestPictures'
	else
		e2e/desktop.sh go test -tags e2e -count=1 -run '^TestPictures' ./e2e/native
	fi
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
