package workspace

import "os"

// noWait is nothing here: the file system has no pipes to wait for.
const noWait = 0

// reopenUnrooted returns the file itself: reading its entries asks about none of them here.
func reopenUnrooted(opened *os.File) (*os.File, error) { return opened, nil }
