package supervisor

import "strings"

// These stand for those of package path, which is initialised after nearly everything
// that the window and the loop need: a guard would wait for all of that.

// join joins clean paths, of which the later ones are relative.
func join(parts ...string) string { return strings.Join(parts, "/") }

// parent is the path of the folder that a path lies in, "." for a single name.
func parent(path string) string {
	if at := strings.LastIndexByte(path, '/'); at > 0 {
		return path[:at]
	}
	return "."
}

// base is the last name of a path.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
