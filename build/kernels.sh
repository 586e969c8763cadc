#!/bin/sh
# Runs the tests of commands in a copy on several file systems (build/filesystems.sh), on
# the kernel that runs here and on those of Debian 12, which QEMU boots without the help of
# the processor. Wants the network, for that system, and root, to mount and to make it.
set -eu
cd "$(dirname "$0")/.."
if [ "$(uname -m)" != x86_64 ]; then
	echo "other kernels and file systems: skipped, the machine that boots them is an x86-64"
	exit
fi
minutes=60

# as_root COMMAND...
as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

scratch=$(mktemp -d /var/tmp/kernels.XXXXXX)
trap 'as_root rm -rf "$scratch"' EXIT
trap 'exit 130' HUP INT TERM

# build_programs FOLDER builds the tests and what they start, without a C library: another
# system has another.
build_programs() {
	export CGO_ENABLED=0
	mkdir "$1"
	for package in sandbox sandbox/overlay tool/shell; do
		go test -c -o "$1/${package##*/}.test" "./backend/$package"
	done
	go build -buildvcs=false -o "$1/" . ./backend/tool/shell/attack ./backend/sandbox/supervisor/fairlead-supervisor
}

# make_disk makes a disk with Debian 12 and the tests, which it runs in the place of init.
make_disk() {
	root=$scratch/root
	as_root mmdebstrap --quiet --variant=apt --include="$(sed 's/#.*//' build/guest-packages.txt | xargs | tr ' ' ,)" bookworm "$root"
	as_root cp -r build/filesystems.sh "$scratch/programs" "$root/opt"
	cat >"$scratch/init" <<-'END'
		#!/bin/sh
		export PATH=/usr/sbin:/usr/bin
		mkdir /dev/shm
		mount -t tmpfs -o mode=1777 tmpfs /dev/shm
		mount -t cgroup2 cgroup2 /sys/fs/cgroup
		modprobe loop
		ip link set lo up
		/opt/filesystems.sh /opt/programs && echo "all file systems passed"
		sleep 1
		echo b >/proc/sysrq-trigger
	END
	as_root install "$scratch/init" "$root/opt/init"
	as_root mke2fs -q -t ext4 -d "$root" "$scratch/disk" 6G
	as_root chmod 644 "$scratch/disk" "$root"/boot/vmlinuz-* "$root"/boot/initrd.img-*
}

# boot VERSION runs the tests on a kernel. What they write is lost with the machine.
boot() {
	timeout "${minutes}m" qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m 3G \
		-nodefaults -display none -serial stdio -no-reboot -snapshot -drive "file=$scratch/disk,format=raw,if=virtio,cache=unsafe" \
		-kernel "$scratch"/root/boot/vmlinuz-"$1".* -initrd "$scratch"/root/boot/initrd.img-"$1".* \
		-append "root=/dev/vda rw console=ttyS0 quiet panic=-1 init=/opt/init" </dev/null 2>&1 | tee "$scratch/console"
	grep -q '^all file systems passed' "$scratch/console"
}

build_programs "$scratch/programs"
failed=
as_root build/filesystems.sh "$scratch/programs" || failed=1
make_disk
for version in 6.1 6.12; do
	boot "$version" || failed=1
done
[ -z "$failed" ] || {
	echo "error: commands in a copy do not work everywhere" >&2
	exit 1
}
