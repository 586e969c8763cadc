#!/bin/sh
# Tests the packages: makes them, looks at what is in them, and runs the command
# line out of the Debian package.
set -eu
cd "$(dirname "$0")/.."

if ! command -v dpkg-deb >/dev/null 2>&1; then
	echo "skipped: dpkg-deb, which looks into a Debian package, is missing"
	exit
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
	echo "error: $*" >&2
	exit 1
}

# same WHAT compares standard input with the file wanted.
same() {
	diff -u "$scratch/wanted" - || fail "$1 is not what is wanted"
}

PACKAGE_LEVEL=1 build/package.sh "$scratch"
deb=$(echo "$scratch"/*.deb) tar=$(echo "$scratch"/*.tar.gz) zip=$(echo "$scratch"/*.zip)

echo "files of the Debian package"
cat >"$scratch/wanted" <<'FILES'
-rw-r--r-- root/root ./usr/share/applications/fairlead.desktop
-rw-r--r-- root/root ./usr/share/doc/fairlead/copyright
-rw-r--r-- root/root ./usr/share/fairlead/apparmor
-rw-r--r-- root/root ./usr/share/icons/hicolor/128x128/apps/fairlead.png
-rw-r--r-- root/root ./usr/share/icons/hicolor/16x16/apps/fairlead.png
-rw-r--r-- root/root ./usr/share/icons/hicolor/24x24/apps/fairlead.png
-rw-r--r-- root/root ./usr/share/icons/hicolor/256x256/apps/fairlead.png
-rw-r--r-- root/root ./usr/share/icons/hicolor/32x32/apps/fairlead.png
-rw-r--r-- root/root ./usr/share/icons/hicolor/48x48/apps/fairlead.png
-rw-r--r-- root/root ./usr/share/icons/hicolor/512x512/apps/fairlead.png
-rw-r--r-- root/root ./usr/share/icons/hicolor/64x64/apps/fairlead.png
-rw-r--r-- root/root ./usr/share/icons/hicolor/scalable/apps/fairlead.svg
-rwxr-xr-x root/root ./usr/bin/fairlead
-rwxr-xr-x root/root ./usr/bin/fairlead-window
FILES
dpkg-deb -c "$deb" | awk '!/^d/ { print $1, $2, $6 }' | LC_ALL=C sort | same "the list of files"

echo "control file"
version=$(dpkg-deb -f "$deb" Version)
libc=$(dpkg-deb -f "$deb" Depends | sed 's/libc6 (>= \(2\.[0-9]*\)),.*/\1/')
cat >"$scratch/wanted" <<CONTROL
Package: fairlead
Architecture: $(dpkg --print-architecture)
Maintainer: Fairlead contributors
Depends: libc6 (>= $libc), libwebkit2gtk-4.1-0, libgtk-3-0 | libgtk-3-0t64
Recommends: gnome-keyring | kwalletmanager
CONTROL
dpkg-deb -f "$deb" Package Architecture Maintainer Depends Recommends | same "the control file"
dpkg --validate-version "$version"

echo "what a removal leaves"
dpkg-deb -e "$deb" "$scratch/control"
for action in remove upgrade; do
	said=$(sh "$scratch/control/postrm" "$action")
	case $action:$said in
	remove:*drafts*data\ folder* | upgrade:) ;;
	*) fail "$action of the package says \"$said\"" ;;
	esac
done

echo "entry in the desktop's menu"
dpkg-deb -x "$deb" "$scratch/root"
usr=$scratch/root/usr
desktop-file-validate "$usr/share/applications/fairlead.desktop"

echo "programs"
said=$("$usr/bin/fairlead" version)
stamped=$(echo "$said" | cut -d' ' -f2)
# The first hyphen is where a version before a release begins.
[ "$(echo "${stamped#v}" | sed 's/-/~/')" = "$version" ] || [ "$stamped" = devel ] ||
	fail "the package says version $version, the program $said"
go version -m "$usr/bin/fairlead-window" | grep -q -- '-tags=desktop,production' ||
	fail "the window in the package is a build for tests"
if ldd "$usr/bin/fairlead" >/dev/null 2>&1; then
	fail "the command line in the package is not static"
fi
for place in "$PWD" "$(go env GOMODCACHE)" "$(go env GOROOT)"; do
	! grep -qF "$place" "$usr/bin/fairlead" "$usr/bin/fairlead-window" || fail "a program in the package names $place"
done

echo "archives"
name=$(basename "$tar" .tar.gz)
printf "$name/%s\n" README.md copyright fairlead fairlead-window fairlead.desktop >"$scratch/wanted"
tar -tzf "$tar" | grep -v '/$\|/icons/' | LC_ALL=C sort | same "the list of files in $tar"
name=$(basename "$zip" .zip)
printf "$name/%s\n" README.md copyright.txt fairlead-window.exe fairlead.exe >"$scratch/wanted"
unzip -Z1 "$zip" | grep -v '/$' | LC_ALL=C sort | same "the list of files in $zip"
unzip -q "$zip" -d "$scratch"
for program in fairlead fairlead-window; do
	inside=$scratch/$program
	go tool -modfile=tools/packaging/go.mod go-winres extract --dir "$inside" "$scratch/$name/$program.exe"
	for resource in RT_GROUP_ICON RT_MANIFEST RT_VERSION "$program.exe"; do
		grep -q "$resource" "$inside/winres.json" || fail "$program.exe in $zip has no $resource"
	done
done
