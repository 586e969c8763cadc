#!/bin/sh
# Builds Fairlead and opens the window. Where there is no display, the guided tour
# runs in the terminal; that needs neither Node nor a display library.
set -eu
cd "$(dirname "$0")/.."

if [ "$(uname -s)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
	echo "There is no display (DISPLAY and WAYLAND_DISPLAY are not set), so no window can open."
	echo "The guided tour runs here in the terminal instead."
	build/need.sh go
	build/program.sh cli bin/fairlead
	exec bin/fairlead run --provider demo
fi
build/need.sh go node window
build/both.sh
exec bin/fairlead
