#!/bin/sh
# Installs the Debian package into a clean system of its own, opens the window
# there, and removes the package again. Wants root, for the clean system, and the
# network, for its packages; these are kept in the user's cache folder.
#
# Processes and mounts live in namespaces of their own, which end with them.
set -eu
script=$(realpath "$0")
cd "$(dirname "$0")/.."

fail() {
	echo "error: $*" >&2
	exit 1
}

# sources lists the archives that this system gets its own packages from.
sources() {
	apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		awk -v id="$ID" -v name="$VERSION_CODENAME" 'tolower($1) == id && index($3, name) == 1 { print "deb", $2, $3, $4 }' | sort -u
}

# inside ROOT DEB CACHE does the work, in the namespaces.
inside() {
	root=$1 cache=$3
	. /etc/os-release
	mirror=$(sources | awk -v name="$VERSION_CODENAME" '$3 == name { print $2; exit }')
	[ -n "$mirror" ] || fail "apt does not say where the packages of $VERSION_CODENAME come from; run apt-get update and try again"

	echo "making a clean $VERSION_CODENAME"
	debootstrap --variant=minbase --cache-dir="$cache" "$VERSION_CODENAME" "$root" "$mirror" >"$root.log" 2>&1 ||
		fail "debootstrap: $(tail -n 5 "$root.log")"
	sources >"$root/etc/apt/sources.list"
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	mount -t proc proc "$root/proc"
	mount -t tmpfs tmpfs "$root/dev/shm"
	cp "$cache"/*.deb "$root/var/cache/apt/archives/"
	cp "$2" "$root/fairlead.deb"

	echo "installing ${2##*/}"
	# dbus brings dbus-run-session, in the place of the desktop that people have.
	in_root apt-get update -q=2
	in_root apt-get install -q=2 --no-install-recommends dbus >"$root.log" 2>&1 || fail "apt-get: $(tail -n 5 "$root.log")"
	in_root apt-get install -q=2 --no-install-recommends /fairlead.deb >"$root.log" 2>&1 || fail "apt-get: $(tail -n 5 "$root.log")"
	cp "$root"/var/cache/apt/archives/*.deb "$cache"
	in_root useradd --create-home person

	in_person fairlead version
	show
	in_root apt-get remove -q=2 fairlead >"$root.log" 2>&1 || fail "apt-get: $(tail -n 5 "$root.log")"
	left=$(find "$root/usr" -name '*fairlead*')
	[ -z "$left" ] || fail "removing the package leaves $left"
}

in_root() {
	DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$root" "$@"
}

# in_person runs a command as somebody without rights.
in_person() {
	chroot --userspec=person:person "$root" \
		env -i PATH=/usr/bin:/bin HOME=/home/person LANG=C.UTF-8 DISPLAY="${DISPLAY:-}" "$@"
}

# show opens the window and waits until its page is drawn.
show() {
	mkfifo "$root.display"
	# The display writes its number where it is told to, once it is up.
	Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3>"$root.display" 2>"$root.x.log" &
	read -r number <"$root.display" || fail "the display does not start: $(cat "$root.x.log")"
	export DISPLAY=":$number"
	mkdir -p "$root/tmp/.X11-unix"
	mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"

	in_person dbus-run-session -- fairlead >"$root.said" 2>&1 &
	window=$(timeout 60 xdotool search --sync --onlyvisible --name '^Fairlead$') ||
		fail "no window appears: $(cat "$root.said")"
	window=${window%% *}
	# By this a desktop knows which entry of its menu a window belongs to.
	class=$(sed -n 's/^StartupWMClass=//p' "$root/usr/share/applications/fairlead.desktop")
	xprop -id "$window" WM_CLASS | grep -q "\"$class\"" || fail "the window is not of the class $class"
	# Until the page is there, the window is of one color.
	tries=60
	until import -window "$window" "$picture" && [ "$(convert "$picture" -format %k info:)" -ge 16 ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "the window stays empty ($picture): $(cat "$root.said")"
		sleep 0.5
	done
	echo "the window is open: $picture"
}

picture=$PWD/bin/package-check.png
if [ "${1:-}" = inside ]; then
	shift
	inside "$@"
	exit
fi

[ "$(id -u)" = 0 ] || fail "a clean system is made by root: sudo make package-check"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/fairlead-package-check
mkdir -p "$cache"
scratch=$(mktemp -d /var/tmp/package-check.XXXXXX)
worker=
# With the process that unshare is goes all that it started.
trap '[ -z "$worker" ] || kill -KILL $worker 2>/dev/null; rm -rf "$scratch"' EXIT
trap 'exit 130' HUP INT TERM
build/package.sh "$scratch" deb
unshare --mount --pid --fork --kill-child "$script" inside "$scratch/root" "$(echo "$scratch"/*.deb)" "$cache" &
worker=$!
code=0
wait $worker || code=$?
worker=
[ $code = 0 ] || exit $code
echo "the package installs, opens its window, and leaves nothing behind"
