#!/bin/sh
# Tries the installer for Windows under Wine, in an empty Windows of its own:
# build/windows-installer-test.sh [INSTALLER], which it makes if none is given. The window is
# not opened, because Wine has no WebView2.
set -eu
[ -z "${1:-}" ] || set -- "$(realpath "$1")"
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
# Nothing of Windows is left running.
trap 'wineserver -k 2>/dev/null || true; rm -rf "$scratch"' EXIT
trap 'exit 130' HUP INT TERM
WINEPREFIX=$scratch/wine
WINEDEBUG=-all
# Wine would copy the Start menu into the menu of this desktop.
WINEDLLOVERRIDES=winemenubuilder.exe=d
# Arguments are in UTF-8.
LC_ALL=C.UTF-8
export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES LC_ALL

drive=$WINEPREFIX/drive_c
entry='HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Fairlead'

fail() {
	printf 'error: %s\n' "$*" >&2
	exit 1
}

# setup CODE [FOLDER] runs the installer and expects an exit code. The folder is the end of the
# line as it is, without quotes.
setup() {
	run "$1" cmd /c "C:\\setup.exe /S${2:+ /D=$2}"
}

# run CODE PROGRAM ARGUMENT...
run() {
	want=$1 code=0
	shift
	timeout 300 wine "$@" >"$scratch/said" || code=$?
	[ "$code" = "$want" ] || fail "$* ended with $code, not $want: $(cat "$scratch/said")"
}

# remove runs the uninstaller, which goes on in a copy of itself.
remove() {
	run 0 "$folder\\fairlead-uninstall.exe" /S
}

# unix PATH prints where a path of Windows is on this system.
unix() {
	printf '%s\n' "$drive${1#C:}" | tr '\\' /
}

# at_rest waits until all programs have ended, which is when Wine writes its registry.
at_rest() {
	timeout 60 wineserver --wait || fail "a program for Windows does not end"
}

# look FILE writes down what Windows has: files, what names Fairlead in its registry, and PATH.
# Data and settings may be left, the files of the tour, and the copy of the uninstaller, for
# which there is nobody to delete it.
look() {
	at_rest
	{
		(cd "$drive" && find . \( -path '*/AppData/Local/fairlead' -o -path '*/Temp/fairlead-tour-*' -o -path '*/Temp/~nsu*.tmp' \) -prune -o -print) |
			LC_ALL=C sort
		grep -i fairlead "$WINEPREFIX"/*.reg || true
		environment
	} >"$1"
}

# environment prints the user's PATH as Wine writes it down, without the quote at its end.
environment() {
	at_rest
	awk '/^\[/ { inside = /^\[Environment\]/ } inside && tolower($0) ~ /^"path"=/' "$WINEPREFIX/user.reg" | sed 's/"$//'
}

# unchanged WHEN FILE expects Windows to be as it was.
unchanged() {
	look "$scratch/now"
	diff -u "$2" "$scratch/now" || fail "$1, Windows is not what it was before"
}

# installed expects everything to be there.
installed() {
	(cd "$(unix "$folder")" && sha256sum fairlead.exe fairlead-window.exe README.md copyright.txt fairlead-uninstall.exe) >"$scratch/sums"
	as_installed "an installation"
	[ -e "$menu/Fairlead.lnk" ] || fail "there is no entry in the Start menu"
	wine reg query "$entry" >"$scratch/entry"
	for value in DisplayName DisplayVersion Publisher DisplayIcon InstallLocation UninstallString QuietUninstallString \
		EstimatedSize NoModify NoRepair; do
		grep -q "^ *$value " "$scratch/entry" || fail "the list of programs has no $value: $(cat "$scratch/entry")"
	done
	grep -q "^ *DisplayVersion .* $version" "$scratch/entry" || fail "the list of programs does not have version $version: $(cat "$scratch/entry")"
	# It is found by PATH.
	said=$(wine cmd /c fairlead version)
	case $said in
	"fairlead v$version "* | "fairlead devel "*) ;;
	*) fail "the program says $said, not $version" ;;
	esac
}

# tour runs the guided tour, which corrects a table.
tour() {
	wine cmd /c fairlead run --provider demo >"$scratch/said" 2>&1 || fail "the guided tour: $(cat "$scratch/said")"
	grep -q 'total,,,470' "$temp"/fairlead-tour-*/budget.csv || fail "the guided tour corrects nothing: $(cat "$scratch/said")"
	rm -r "$temp"/fairlead-tour-*
}

# beside LINE COMMAND... runs a command while a program of Windows is running that begins with
# a line of output and ends with its input.
beside() {
	line=$1
	shift
	mkfifo "$scratch/in" "$scratch/out"
	wine cmd /c "$line" <"$scratch/in" >"$scratch/out" 2>/dev/null &
	exec 3>"$scratch/in" 4<"$scratch/out"
	read -r _ <&4 || fail "$line does not start"
	"$@" 3>&- 4<&-
	exec 3>&-
	cat <&4 >/dev/null
	exec 4<&-
	wait $! || true
	rm "$scratch/in" "$scratch/out"
}

# While the guided tour waits for an answer, Fairlead is running.
waiting='fairlead run --provider demo --input jsonl --output jsonl'

# refused WHY COMMAND... runs a command that changes no file and gives a reason.
refused() {
	why=$1
	shift
	"$@"
	grep -q "$why" "$scratch/said" || fail "$* does not say \"$why\": $(cat "$scratch/said")"
	as_installed "$*"
}

# as_installed AFTER expects the files that installed has seen, and no others.
as_installed() {
	(cd "$(unix "$folder")" && sha256sum --quiet -c "$scratch/sums") || fail "$1 changes files"
	[ "$(find "$(unix "$folder")" -type f | wc -l)" = 5 ] || fail "$1 leaves files of its own"
}

# remove_in_place CODE runs the uninstaller where it is, which is how its exit code is seen.
remove_in_place() {
	run "$1" "$folder\\fairlead-uninstall.exe" /S "_?=$folder"
}

installer=${1:-}
if [ -z "$installer" ]; then
	PACKAGE_LEVEL=1 build/package.sh "$scratch" windows
	installer=$(echo "$scratch"/*-setup.exe)
fi
version=$(basename "$installer" -windows-amd64-setup.exe)
version=${version#fairlead-}
build/wine.sh
cp "$installer" "$drive/setup.exe"
x86_64-w64-mingw32-gcc -Wall -Wextra -Os -s -o "$drive/hold.exe" build/windows/hold.c
profile=$(dirname "$(echo "$drive"/users/*/AppData)")
menu="$profile/AppData/Roaming/Microsoft/Windows/Start Menu/Programs"
temp=$(unix "$(wine cmd /c 'echo %TEMP%' | tr -d '\r')")
usual="C:\\users\\${profile##*/}\\AppData\\Local\\Programs\\Fairlead"
settings=$profile/AppData/Local/fairlead/config.toml
look "$scratch/before"

echo "installing, and the guided tour"
folder=$usual
setup 0
installed
tour
echo 'max_steps = 30' >"$settings"

echo "nothing changes while Fairlead is running, or elsewhere"
beside "$waiting" refused "Fairlead is running" setup 2
beside "$waiting" refused "Fairlead is running" remove_in_place 2
for command in setup remove_in_place; do
	beside "C:\\hold.exe $folder\\README.md" refused "another program uses README.md" $command 2
done
new=$(unix "$folder")/README.md.fairlead-new
touch "$new"
beside "C:\\hold.exe $folder\\README.md.fairlead-new" setup 2
rm -f "$new"
as_installed "an update whose new file cannot be moved"
refused "already installed in" setup 2 'C:\elsewhere'
mkdir "$drive/copy"
cp "$(unix "$folder")"/* "$drive/copy"
refused "is not installed in" run 2 'C:\copy\fairlead-uninstall.exe' /S '_?=C:\copy'
[ "$(find "$drive/copy" -type f | wc -l)" = 5 ] || fail "a copy of the uninstaller deletes what lies beside it"
rm -r "$drive/copy"

echo "installing over an older one, and removing"
echo old >"$(unix "$folder")/fairlead.exe"
rm "$(unix "$folder")/README.md"
setup 0
as_installed "an update"
installed
remove
unchanged "after the removal" "$scratch/before"
[ "$(cat "$settings")" = 'max_steps = 30' ] || fail "the removal changes the settings"

echo "installing again, and removing all but the user's own file"
setup 0
installed
echo mine >"$(unix "$folder")/mine.txt"
remove
at_rest
[ "$(ls "$(unix "$folder")")" = mine.txt ] || fail "the removal leaves $(ls "$(unix "$folder")"), not mine.txt"
rm -r "$drive/users/${profile##*/}/AppData/Local/Programs"
unchanged "after the second removal" "$scratch/before"

echo "another folder"
folder='C:\Fair lead 文件夹'
setup 0 "$folder"
installed
setup 0
as_installed "an update that names no folder"
remove
unchanged "after the removal from another folder" "$scratch/before"

echo "folders where it cannot be"
mkdir -p "$drive/foreign" "$drive/full/README.md.fairlead-new"
echo mine >"$drive/foreign/README.md"
look "$scratch/before"
setup 2 'C:\foreign'
grep -q 'already has a file README.md' "$scratch/said" || fail "the installer does not say what is in the folder: $(cat "$scratch/said")"
unchanged "after an installation into a folder with another README.md" "$scratch/before"
setup 2 'C:\full'
grep -q 'cannot be written' "$scratch/said" || fail "the installer does not say that it cannot write: $(cat "$scratch/said")"
unchanged "after an installation that failed" "$scratch/before"

echo "PATH"
folder=$usual
part='%USERPROFILE%\tools\programs'
for parts in 1 60 90; do
	value='C:\tools'
	for _ in $(seq $parts); do value="$value;$part"; done
	wine reg add 'HKCU\Environment' /v Path /t REG_EXPAND_SZ /d "$value" /f >/dev/null
	look "$scratch/before"
	had=$(environment)
	setup 0
	case $parts in
	90)
		grep -q '^Your PATH stays as it is' "$scratch/said" || fail "the installer does not say that it leaves PATH: $(cat "$scratch/said")"
		[ "$(environment)" = "$had" ] || fail "a PATH of ${#value} characters became $(environment)"
		;;
	*) [ "$(environment)" = "$had;$(printf '%s\n' "$folder" | sed 's/\\/&&/g')" ] || fail "a PATH of ${#value} characters became $(environment)" ;;
	esac
	remove
	unchanged "after a removal with a PATH of ${#value} characters" "$scratch/before"
done
echo "the installer and the uninstaller do what they should under Wine"
