#!/bin/sh
# Says what a removal leaves, which is the user's. An update leaves the program.
case ${1:-} in
remove | purge | 0) ;;
*) exit 0 ;;
esac
echo "Fairlead: conversations, drafts that nobody has decided about, and what can be taken back stay in each user's"
echo "data folder (~/.local/share/fairlead), settings in ~/.config/fairlead. Delete these folders to have them gone."
exit 0
