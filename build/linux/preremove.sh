#!/bin/sh
# Unloads the AppArmor profile that postinstall.sh has loaded. An update leaves it. Nothing
# of this may fail the removal.
profile=/etc/apparmor.d/fairlead

# Debian says what it does, rpm how many versions will be left.
case ${1:-} in
remove | deconfigure | 0) ;;
*) exit 0 ;;
esac
head -n 1 "$profile" 2>/dev/null | grep -q 'by the package fairlead' || exit 0
if command -v apparmor_parser >/dev/null 2>&1; then
	apparmor_parser -R "$profile" >/dev/null 2>&1
fi
rm -f "$profile"
exit 0
