#!/bin/sh
# Makes the folder that WINEPREFIX names into an empty Windows in which programs in Go run,
# unless it is one: build/wine.sh
set -eu
cd "$(dirname "$0")/.."

system=$WINEPREFIX/drive_c/windows/system32
if [ ! -e "$system" ]; then
	echo "making a folder with an empty Windows, $WINEPREFIX"
	mkdir -p "${WINEPREFIX%/*}"
	# It asks for 32-bit programs as well, which are not needed.
	wine wineboot --init >"$WINEPREFIX.log" 2>&1 || {
		cat "$WINEPREFIX.log"
		exit 1
	}
	wineserver --wait
fi
echo "compiling what this version of Wine lacks"
x86_64-w64-mingw32-gcc -Wall -Wextra -Wno-cast-function-type -Os -s -shared -o "$system/bcryptprimitives.dll" \
	build/windows/wine/bcryptprimitives.c -ladvapi32
