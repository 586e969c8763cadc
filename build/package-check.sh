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
	in_root useradd --create-home user

	as_user fairlead version
	show
	remove
	check_profile
}

remove() {
	in_root apt-get remove -q=2 fairlead >"$root.log" 2>&1 || fail "apt-get: $(tail -n 5 "$root.log")"
	left=$(find "$root/usr" "$root/etc/apparmor.d" -name '*fairlead*' 2>/dev/null || true)
	[ -z "$left" ] || fail "removing the package leaves $left"
}

# install_again installs the package once more; what it needs is there.
install_again() {
	in_root dpkg -i /fairlead.deb >"$root.log" 2>&1 || fail "dpkg: $(tail -n 5 "$root.log")"
}

# check_profile looks at what the package's scripts do with its AppArmor profile, by a
# parser that notes how it is called. The setting that they look for is made, or taken
# away, by another folder in the place of the kernel's settings.
check_profile() {
	parser=$root/usr/sbin/apparmor_parser calls=$root/parser.calls fails=$root/parser.fails
	profile=$root/etc/apparmor.d/fairlead load="-r -T -W /etc/apparmor.d/fairlead" unload="-R /etc/apparmor.d/fairlead"
	[ ! -e "$parser" ] || fail "the clean system has an AppArmor parser, in whose place the check puts its own"
	mkdir "$root/without" "$root/with"
	echo 1 >"$root/with/apparmor_restrict_unprivileged_userns"
	mount --bind "$root/without" "$root/proc/sys/kernel"
	install_parser
	install_again && expect "without the setting" ""
	[ ! -e "$profile" ] || fail "without the setting there is $profile"
	remove && expect "without the setting, removed" ""

	mount --bind "$root/with" "$root/proc/sys/kernel"
	install_again && expect "with the setting" "$load"
	cmp -s build/linux/apparmor "$profile" || fail "with the setting $profile is not the package's"
	install_again && expect "updated" "$load"
	remove && expect "with the setting, removed" "$unload"

	touch "$fails"
	install_again && expect "with a parser that fails" "$load"
	[ ! -e "$profile" ] || fail "a profile that could not be loaded stays"
	rm "$fails"
	install_again && expect "with a parser that works again" "$load"
	touch "$fails"
	remove && expect "with a parser that fails, removed" "$unload"

	rm "$parser"
	install_again && remove && expect "without a parser" ""

	rm "$fails"
	install_parser
	mkdir -p "$root/etc/apparmor.d"
	echo "# by the user" >"$profile"
	install_again && expect "with a profile of the user's" ""
	in_root dpkg -r fairlead >"$root.log" 2>&1 || fail "dpkg: $(tail -n 5 "$root.log")"
	[ "$(cat "$profile")" = "# by the user" ] || fail "the user's profile is gone"
	umount "$root/proc/sys/kernel" "$root/proc/sys/kernel"
	echo "the AppArmor profile is loaded where the setting is, and unloaded"
}

# install_parser puts the parser that notes its calls into the clean system.
install_parser() {
	printf '#!/bin/sh\necho "$*" >>/parser.calls\n[ ! -e /parser.fails ]\n' >"$parser"
	chmod +x "$parser"
}

# expect WHEN CALLS checks how the parser was called since the last time.
expect() {
	got=$(cat "$calls" 2>/dev/null || true)
	rm -f "$calls"
	[ "$got" = "$2" ] || fail "$1 the AppArmor parser was called with '$got', not with '$2'"
}

in_root() {
	DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$root" "$@"
}

# as_user runs a command as somebody without rights.
as_user() {
	chroot --userspec=user:user "$root" \
		env -i PATH=/usr/bin:/bin HOME=/home/user LANG=C.UTF-8 DISPLAY="${DISPLAY:-}" "$@"
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

	as_user dbus-run-session -- fairlead >"$root.said" 2>&1 &
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
# The lines that parsers before version 4 do not know are left out for them.
grep -vE '^ *(abi|userns)' build/linux/apparmor >"$scratch/profile"
apparmor_parser -Q -K "$scratch/profile" || fail "the AppArmor profile is not one"
build/package.sh "$scratch" deb
unshare --mount --pid --fork --kill-child "$script" inside "$scratch/root" "$(echo "$scratch"/*.deb)" "$cache" &
worker=$!
code=0
wait $worker || code=$?
worker=
[ $code = 0 ] || exit $code
echo "the package installs, opens its window, and leaves nothing behind"
