#!/bin/sh
# Draws the icons anew from build/appicon.svg, after a change to it. The pictures
# are committed, so that a build needs neither Chromium nor ImageMagick.
set -eu
cd "$(dirname "$0")"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chromium --headless --no-sandbox --user-data-dir="$scratch" --hide-scrollbars --default-background-color=00000000 \
	--window-size=1024,1024 --screenshot="$scratch/drawn.png" "file://$PWD/appicon.svg" 2>/dev/null

# size PIXELS FILE. No dates or other notes go into a picture.
size() {
	convert "$scratch/drawn.png" -filter Lanczos -resize "$1x$1" -strip -define png:exclude-chunks=date,time "PNG32:$2"
}

size 1024 appicon.png
for pixels in 16 24 32 48 64 128 256 512; do
	size $pixels linux/icons/$pixels.png
done
(cd linux/icons && convert 16.png 24.png 32.png 48.png 64.png 128.png 256.png ../../windows/icon.ico)
# Go embeds no file from outside the package's folder.
cp linux/icons/128.png ../backend/desktop/icon.png
