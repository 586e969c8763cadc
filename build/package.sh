#!/bin/sh
# Puts into a folder what people install: build/package.sh FOLDER [deb] [rpm] [tar]
# [windows], or all of them; windows is an archive and an installer. The version is the one that Go stamps into the programs: the tag of
# the commit, or else its time and its name. PACKAGE_LEVEL, 1 to 9, is how hard the
# archives are compressed; the best takes ten times as long as the first.
set -eu
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
# Go builds the resources into the programs for Windows because they lie here.
trap 'rm -rf "$scratch" rsrc_windows_*.syso' EXIT
trap 'exit 130' HUP INT TERM

tool() {
	go tool -modfile=tools/packaging/go.mod "$@"
}

# Files in packages have the time of the commit, so that it and the tools alone
# decide what comes out.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null) || SOURCE_DATE_EPOCH=$(date +%s)
export SOURCE_DATE_EPOCH

# asked KIND
asked() {
	case " $kinds " in *" $1 "*) ;; *) return 1 ;; esac
}
out=$1
shift
kinds=${*:-deb rpm tar windows}
level=${PACKAGE_LEVEL:-9}
arch=$(go env GOARCH)

echo "building the programs"
build/both.sh
version=$(bin/fairlead version | cut -d' ' -f2)
[ "$version" != devel ] || version=v0.0.0-devel
version=${version#v}
name=fairlead-$version
mkdir -p "$out"

if [ "$(go env GOOS)" != linux ]; then
	echo "packages for Linux: skipped, they are made on Linux"
	kinds=windows
fi

linux=$scratch/$name-linux-$arch
mkdir "$linux"
cp bin/fairlead bin/fairlead-window "$linux"
build/copyright.sh >"$linux/copyright"

if asked tar; then
	cp -r build/linux/fairlead.desktop build/linux/icons README.md "$linux"
	tar -C "$scratch" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "${linux##*/}" |
		gzip "-${level}n" >"$out/${linux##*/}.tar.gz"
	echo "$out/${linux##*/}.tar.gz"
fi

if asked deb || asked rpm; then
	# The oldest C library that has all that the window wants of it.
	PACKAGE_LIBC=$(objdump -T bin/fairlead-window | sed -n 's/.*(GLIBC_\([0-9.]*\)).*/\1/p' | sort -uV | tail -n 1)
	export PACKAGE_LIBC PACKAGE_FOLDER="$linux" PACKAGE_VERSION="$version" PACKAGE_ARCH="$arch"
	for packager in deb rpm; do
		asked $packager || continue
		tool nfpm package --config build/linux/nfpm.yaml --packager $packager --target "$out/$name-linux-$arch.$packager" >/dev/null
		echo "$out/$name-linux-$arch.$packager"
	done
fi

if asked windows; then
	echo "building the programs for Windows"
	windows=$scratch/$name-windows-amd64
	mkdir "$windows"
	export GOOS=windows GOARCH=amd64
	# Windows wants four numbers.
	numbers=${version%%[-+]*}.0
	for kind in cli window; do
		manifest=gui file=fairlead-window
		[ $kind = window ] || manifest=cli file=fairlead
		GOOS='' GOARCH='' tool go-winres simply --arch amd64 --icon build/windows/icon.ico --manifest $manifest \
			--product-version "$numbers" --file-version "$numbers" --product-name Fairlead --file-description Fairlead \
			--original-filename "$file.exe" --copyright "$(grep ^Copyright LICENSE)" --out rsrc
		build/program.sh $kind "$windows/$file"
	done
	build/copyright.sh >"$windows/copyright.txt"
	cp README.md "$windows"
	find "$windows" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
	rm -f "$out/$name-windows-amd64.zip"
	(cd "$scratch" && TZ=UTC zip -qrX "-$level" - "${windows##*/}") >"$out/$name-windows-amd64.zip"
	echo "$out/$name-windows-amd64.zip"

	if command -v makensis >/dev/null 2>&1; then
		installer=$name-windows-amd64-setup.exe
		makensis -V2 -INPUTCHARSET UTF8 "-DVERSION=$version" "-DNUMBERS=$numbers" "-DCOPYRIGHT=$(grep ^Copyright LICENSE)" \
			"-DLEVEL=$level" "-DFOLDER=$windows" "-DOUT=$scratch/$installer" build/windows/installer.nsi
		mv "$scratch/$installer" "$out"
		echo "$out/$installer"
	else
		echo "the installer for Windows: skipped, makensis is missing (NSIS, https://nsis.sourceforge.io)"
	fi
fi
