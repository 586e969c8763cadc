#!/bin/sh
# Gives a command a desktop of its own and takes it away again: e2e/desktop.sh COMMAND...
#
# The desktop is a display (Xvfb), a window manager, a session bus, the bus of
# assistive technology, and an unlocked keyring. Home and runtime folders are
# temporary. Nothing of the user's own session is used or touched, and nothing
# that was started is left when this ends, whether the command is done or this is
# told to stop. The exit code is the command's.
#
# DESKTOP_SCREEN=1600x1000x24 is the size of the screen and its depth in bits.
# The command finds the desktop's folder in DESKTOP_DIR: bus.conf in it starts
# another session bus, log/ holds what the parts of the desktop said.
set -eu

[ $# -gt 0 ] || { echo "usage: e2e/desktop.sh COMMAND..." >&2; exit 2; }
for part in Xvfb openbox dbus-daemon gdbus gnome-keyring-daemon setpriv; do
	command -v "$part" >/dev/null 2>&1 || {
		echo "error: $part is missing; a desktop needs the packages of e2e/packages.txt" >&2
		exit 1
	}
done
a11y=/usr/share/dbus-1/services/org.a11y.Bus.service
[ -e "$a11y" ] || { echo "error: $a11y is missing; install at-spi2-core" >&2; exit 1; }

# Go's folders lie in the home that the command does not get to see.
if command -v go >/dev/null 2>&1; then
	GOPATH=$(go env GOPATH) GOMODCACHE=$(go env GOMODCACHE) GOCACHE=$(go env GOCACHE) GOENV=$(go env GOENV)
	export GOPATH GOMODCACHE GOCACHE GOENV
fi

DESKTOP_DIR=$(mktemp -d "${TMPDIR:-/tmp}/desktop.XXXXXX")
export DESKTOP_DIR
command=

# ours names the processes that were given this desktop, however deep below.
ours() {
	env -u DESKTOP_DIR grep -lzsx "DESKTOP_DIR=$DESKTOP_DIR" /proc/[0-9]*/environ | cut -d/ -f3
}

# The command goes first: it may want to close what it has open. The rest has
# nothing to save.
leave() {
	code=$?
	trap '' HUP INT TERM
	if [ -n "$command" ] && kill -TERM "$command" 2>/dev/null; then
		await_end 100 "$command"
	fi
	# A display that is only killed leaves its lock behind.
	for signal in TERM KILL; do
		for pid in $(ours); do
			kill -$signal "$pid" 2>/dev/null || true
		done
		await_end 20 ''
	done
	rm -rf "$DESKTOP_DIR"
	exit "$code"
}

# await_end TENTHS PID waits for the end of a process, or, without one, of all
# that are ours.
await_end() {
	tenths=$1
	while [ "$tenths" -gt 0 ]; do
		if [ -n "$2" ]; then
			[ -d "/proc/$2" ] && [ "$(cut -d' ' -f3 "/proc/$2/stat" 2>/dev/null)" != Z ] || return 0
		else
			[ -n "$(ours)" ] || return 0
		fi
		sleep 0.1
		tenths=$((tenths - 1))
	done
}
trap leave EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

cd "$DESKTOP_DIR"
mkdir -m 700 home run log services

# start NAME COMMAND... starts a part of the desktop, which ends with this shell
# even when that is killed. It can say that it is up by a line into NAME.up.
start() {
	name=$1
	shift
	mkfifo "$name.up"
	setpriv --pdeathsig TERM -- "$@" >"log/$name" 2>&1 &
}

# heard NAME waits for that line.
heard() {
	if ! read -r line <"$1.up" || [ -z "$line" ]; then
		echo "error: $1 does not start: $(cat "log/$1")" >&2
		exit 1
	fi
}

# Nothing of the user's own session may shine through.
unset WAYLAND_DISPLAY XAUTHORITY SESSION_MANAGER DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS GTK_MODULES GTK_THEME \
	NO_AT_BRIDGE AT_SPI_BUS_ADDRESS GNOME_KEYRING_CONTROL SSH_AUTH_SOCK XDG_CONFIG_DIRS XDG_SESSION_ID XDG_CURRENT_DESKTOP \
	LC_ALL LC_MESSAGES LC_CTYPE LANGUAGE
export HOME="$DESKTOP_DIR/home" XDG_RUNTIME_DIR="$DESKTOP_DIR/run" XDG_SESSION_TYPE=x11 GDK_BACKEND=x11 LANG=C.UTF-8
export XDG_CONFIG_HOME="$HOME/.config" XDG_DATA_HOME="$HOME/.local/share" XDG_STATE_HOME="$HOME/.local/state" XDG_CACHE_HOME="$HOME/.cache"
# Settings live in memory, files are the system's own, drawing is done by the CPU.
export GSETTINGS_BACKEND=memory GIO_USE_VFS=local LIBGL_ALWAYS_SOFTWARE=1

start display sh -c 'exec 3>display.up; exec Xvfb -displayfd 3 -screen 0 "$1" -nolisten tcp -noreset' - "${DESKTOP_SCREEN:-1600x1000x24}"
heard display
export DISPLAY=":$line"

# Only the bus of assistive technology is started on demand: whatever else a
# system offers (portals, file system daemons) belongs to the user.
cp "$a11y" services/
cat >bus.conf <<-CONF
	<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
	 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
	<busconfig>
	  <type>session</type>
	  <listen>unix:dir=$XDG_RUNTIME_DIR</listen>
	  <auth>EXTERNAL</auth>
	  <servicedir>$DESKTOP_DIR/services</servicedir>
	  <policy context="default">
	    <allow send_destination="*" eavesdrop="true"/>
	    <allow eavesdrop="true"/>
	    <allow own="*"/>
	  </policy>
	</busconfig>
CONF
start bus sh -c 'exec 3>bus.up; exec dbus-daemon --config-file=bus.conf --nofork --nopidfile --print-address=3'
heard bus
export DBUS_SESSION_BUS_ADDRESS="$line"

start windows openbox --sm-disable --startup "sh -c 'echo up >$DESKTOP_DIR/windows.up'"
heard windows

if ! address=$(gdbus call --session --dest org.a11y.Bus --object-path /org/a11y/bus --method org.a11y.Bus.GetAddress 2>log/a11y); then
	echo "error: the bus of assistive technology does not start: $(cat log/a11y)" >&2
	exit 1
fi
address=${address#*\'}
export AT_SPI_BUS_ADDRESS="${address%\'*}"

start keyring sh -c 'printf "the password" | exec gnome-keyring-daemon --foreground --unlock --components=secrets'
if ! gdbus wait --session --timeout 20 org.freedesktop.secrets; then
	echo "error: the keyring does not start: $(cat log/keyring)" >&2
	exit 1
fi

cd "$OLDPWD"
exec 3<&0
setpriv --pdeathsig TERM -- "$@" <&3 3<&- &
command=$!
code=0
wait "$command" || code=$?
command=
exit "$code"
