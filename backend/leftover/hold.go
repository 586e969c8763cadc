package leftover

import "os"

// Hold opens the file of a path, and makes it if need be, so that nobody else holds it
// until it is closed, or this process ends, however it does. Where somebody else holds
// it, Hold waits or fails.
func Hold(path string, wait bool) (*os.File, error) {
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if err := lock(file, wait); err != nil {
			file.Close()
			return nil, err
		}
		// Who held it may have deleted it meanwhile, and then it holds nothing.
		now, err := os.Stat(path)
		if own, ownErr := file.Stat(); err == nil && ownErr == nil && os.SameFile(now, own) {
			return file, nil
		}
		file.Close()
	}
}
