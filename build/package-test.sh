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
deb=$(echo "$scratch"/*.deb) tar=$(echo "$scratch"/*.tar.gz) zip=$(echo "$scratch"/*.zip) rpm=$(echo "$scratch"/*.rpm)

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

echo "files of the rpm"
dpkg-deb -c "$deb" | awk '!/^d/ && !/apparmor/ { print $1, $2, substr($6, 2) }' | LC_ALL=C sort >"$scratch/wanted"
rpm -qp --qf '[%{FILEMODES:perms} %{FILEUSERNAME}/%{FILEGROUPNAME} %{FILENAMES}\n]' "$rpm" | LC_ALL=C sort | same "the list of files of the rpm"
[ "$(rpm -qp --qf '%{BUILDHOST}' "$rpm")" = localhost ] || fail "the rpm names the machine that built it"
[ -z "$(rpm -qp --qf '%{POSTIN}%{PREUN}' "$rpm" | sed 's/(none)//g')" ] || fail "the rpm runs a script for AppArmor"

echo "what the rpm requires"
sed "/^#/d; s/GLIBC_2\.34/GLIBC_$libc/" build/linux/rpm-requires.txt >"$scratch/requires"
awk '{ print $1 }' "$scratch/requires" | LC_ALL=C sort >"$scratch/wanted"
rpm -qRp "$rpm" | LC_ALL=C sort | same "what the rpm requires"
sed -n 's/()(64bit)$//p' "$scratch/wanted" >"$scratch/libraries"
mv "$scratch/libraries" "$scratch/wanted"
objdump -p bin/fairlead-window | awk '$1 == "NEEDED" && $2 != "libc.so.6" { print $2 }' | LC_ALL=C sort | same "the libraries of the window"

echo "installation of the rpm"
mkdir "$scratch/stubs" "$scratch/empty"
for package in $(awk '{ print $2 }' "$scratch/requires" | sort -u); do
	{
		printf 'name: %s\narch: all\nversion: 1.0.0\nmaintainer: nobody\ndescription: stands for a package of Fedora\nprovides:\n' "$package"
		awk -v package="$package" '$2 == package { print "  - " $1 }' "$scratch/requires"
	} >"$scratch/stub.yaml"
	go tool -modfile=tools/packaging/go.mod nfpm package --config "$scratch/stub.yaml" --packager rpm --target "$scratch/stubs/$package.rpm" >/dev/null
done
rpm --root "$scratch/empty" --initdb
rpm --root "$scratch/empty" --force-debian --test -i "$scratch"/stubs/*.rpm "$rpm" || fail "the rpm cannot be installed beside what it requires"
! rpm --root "$scratch/empty" --force-debian --test -i "$rpm" 2>/dev/null || fail "the rpm can be installed without what it requires"

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

echo "installer for Windows"
setup=$scratch/$name-setup.exe
[ -e "$setup" ] || fail "there is no $setup"
# NSIS makes programs of 32 bits unless it is told otherwise. Where the header of a program is
# stands 60 bytes from its beginning, and which processor it is for, 4 bytes into the header.
header=$(od -An -tu4 -j60 -N4 "$setup" | tr -d ' ')
machine=$(od -An -tx2 -j$((header + 4)) -N2 "$setup" | tr -d ' ')
[ "$machine" = 8664 ] || fail "$setup is for processor $machine, not for x86-64"
grep -aq 'requestedExecutionLevel level="asInvoker"' "$setup" || fail "$setup does not say that it needs no administrator"
# What Windows shows of a program is in two bytes a character.
number=${name#fairlead-}
tr -d '\000' <"$setup" | grep -aqF "ProductVersion${number%-windows-amd64}" || fail "$setup does not say its version"
