package document

import "os"

// isCompiled reports whether a folder has what the reader of PDF files was compiled to: one
// folder for the compiler's version with the result in it.
func isCompiled(cache string) bool {
	versions, _ := os.ReadDir(cache)
	for _, version := range versions {
		if entries, err := os.ReadDir(cache + string(os.PathSeparator) + version.Name()); err == nil && len(entries) > 0 {
			return true
		}
	}
	return false
}
