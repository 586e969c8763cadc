#!/bin/sh
# Builds the command line for Linux on arm64 and runs its tests under qemu-user:
# build/arm64.sh [PACKAGE...], where a package is named as below backend. Commands, and the
# reading of documents, are not tried: both are confined, and qemu-user does not pass on what
# that asks of the kernel.
set -eu
cd "$(dirname "$0")/.."

program=$PWD/bin/arm64/fairlead
mkdir -p "${program%/*}"
echo "building $program"
GOARCH=arm64 build/program.sh cli "$program"

# The kernel has to know what to start programs for arm64 with, because tests start some.
# Debian's package says so to systemd, which a container does not have.
if ! "$program" version >/dev/null 2>&1; then
	binfmt=/proc/sys/fs/binfmt_misc
	if [ "$(id -u)" != 0 ]; then
		echo "error: this system does not start programs for arm64. Run this as root, which can have it do so." >&2
		exit 1
	fi
	echo "telling the kernel to start programs for arm64 with qemu-user"
	[ -e $binfmt/register ] || mount -t binfmt_misc binfmt_misc $binfmt
	cat /usr/lib/binfmt.d/qemu-aarch64.conf >$binfmt/register
fi
"$program" version

go -C tools run ./foreign linux/arm64 qemu-aarch64 foreign/arm64.txt .. "$@"
