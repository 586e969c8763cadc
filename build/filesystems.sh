#!/bin/sh
# Runs the tests of commands in a copy on several file systems, as an ordinary user, and
# prints what came of each: build/filesystems.sh PROGRAMS [FS...]. PROGRAMS is the folder
# that build/kernels.sh fills. Wants root, which mounts them.
set -eu
programs=$(realpath "$1")
shift
kernel=$(uname -r)
work=$(mktemp -d "${TMPDIR:-/tmp}/filesystems.XXXXXX")
chmod 755 "$work"
mounted=
code=0

leave() {
	status=$?
	trap - EXIT
	[ -z "$mounted" ] || umount "$mounted"
	rm -rf "$work"
	exit "$status"
}
trap leave EXIT
trap 'exit 130' HUP INT TERM

# mount_new FS mounts an empty file system.
mount_new() {
	mkdir "$work/$1"
	if [ "$1" = tmpfs ]; then
		mount -t tmpfs tmpfs "$work/$1"
	else
		truncate -s 2G "$work/$1.image"
		"mkfs.$1" -q "$work/$1.image" >>"$work/log" 2>&1
		mount -o loop "$work/$1.image" "$work/$1"
	fi
	mounted=$work/$1
	chmod 755 "$mounted"
}

unmount() {
	umount "$mounted"
	mounted=
	rm -f "$work/$1.image"
}

# run_tests PACKAGE PATTERN adds what the tests of a package print to the log. They have
# what sandboxtest.Main makes for them, which would build the programs here.
run_tests() {
	folder=$mounted/$1
	mkdir "$folder" "$folder/home" "$folder/tmp"
	cp -r "$programs" "$folder/bin"
	chown -R 65534:65534 "$folder"
	(cd "$folder" && env -i PATH="$PATH" USER=nobody LOGNAME=nobody HOME="$folder/home" TMPDIR="$folder/tmp" \
		FAIRLEAD_TEST_FOLDER="$folder" FAIRLEAD_TEST_KEY=canary-of-the-tests \
		setpriv --reuid 65534 --regid 65534 --clear-groups --pdeathsig KILL \
		"bin/$1.test" -test.v -test.timeout 20m -test.run "$2") >>"$work/log" 2>&1
}

# may_be_refused FS reports whether this kernel is one that cannot have copies there: in
# a tmpfs a folder could not be marked as deleted before Linux 6.6, which gave it
# attributes of the user's.
may_be_refused() {
	[ "$1" = tmpfs ] && [ "$(printf '%s\n' "$kernel" 6.6 | sort -V | head -n 1)" != 6.6 ]
}

# on FS runs the tests there, without what follows from the trial where that refuses.
on() {
	began=$(date +%s)
	: >"$work/log"
	mount_new "$1"
	if ! run_tests sandbox '^TestPRE08_ACopyIsTried$' && may_be_refused "$1"; then
		echo "Linux $kernel, $1: refused: $(sed -n 's/.*trial_linux_test.go:[0-9]*: //p' "$work/log")"
	elif rm -r "$mounted/sandbox" && run_tests sandbox ^TestPRE && run_tests overlay . && run_tests shell ^TestPRE && all_ran; then
		# Unquoted, because there can be several.
		echo "Linux $kernel, $1: passed $(grep -c -e '--- PASS' "$work/log") in $(($(date +%s) - began)) s, left out:" \
			$(sed -n 's|.*--- SKIP: [^/]*/\([^ ]*\) .*|\1|p' "$work/log" | grep . || echo nothing)
	else
		code=1
		grep -vE '^ *(=== (RUN|PAUSE|CONT)|--- PASS)' "$work/log" || true
		echo "Linux $kernel, $1: FAILED"
	fi
	unmount "$1"
}

# all_ran reports whether no whole test was left out: only a kind of work may be, whose
# program is not there.
all_ran() {
	! grep -E '^--- SKIP|no tests to run' "$work/log"
}

[ $# -gt 0 ] || set -- ext4 btrfs xfs tmpfs
for fs; do
	on "$fs"
done
exit "$code"
