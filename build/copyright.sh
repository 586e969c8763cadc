#!/bin/sh
# Writes to standard output the licence of Fairlead and, as these ask for it, the
# licences of everything that is in the programs: Go, Go modules for the system
# that GOOS names, and what the page is built from.
set -eu
cd "$(dirname "$0")/.."

# licences NAME FOLDER
licences() {
	printf '\n\n===== %s =====\n' "$1"
	found=$(find "$2" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' \) | LC_ALL=C sort)
	if [ -z "$found" ]; then
		echo "error: there is no licence of $1 in $2" >&2
		exit 1
	fi
	echo "$found" | while read -r file; do
		printf '\n'
		cat "$file"
	done
}

cat LICENSE
licences "Go $(go env GOVERSION)" "$(go env GOROOT)"
modules=$(go list -deps -tags "$(build/program.sh window)" \
	-f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' . | LC_ALL=C sort -u)
echo "$modules" | while read -r path version folder; do
	licences "$path $version" "$folder"
done
cd frontend
npm ls --loglevel=error --omit=dev --all --parseable | sed 1d | LC_ALL=C sort | while read -r folder; do
	licences "$(node -p 'const p = require(process.argv[1]); `${p.name} ${p.version}`' "$folder/package.json")" "$folder"
done
