package workspace

// noWait is nothing here: the file system has no pipes to wait for.
const noWait = 0
