package supervisor

import "strings"

// These stand for those of package path, which is initialised after nearly everything
// that the window and the loop need: a guard would wait for all of that.

// joinPath joins clean paths, of which the later ones are relative.
func joinPath(parts ...string) string { return strings.Join(parts, "/") }

// parentPath is the path of the folder that a path lies in, "." for a single name.
func parentPath(path string) string {
	if at := strings.LastIndexByte(path, '/'); at > 0 {
		return path[:at]
	}
	return "."
}

// baseName is the last name of a path.
func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
