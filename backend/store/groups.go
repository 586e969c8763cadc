package store

import (
	"fmt"
	"slices"
	"strings"
)

// listOf writes the names of groups of tools as the database has them: so that they
// can be read whatever they are, because a list that cannot be read would switch on
// again what the user switched off.
func listOf(groups []string) (string, error) {
	for _, name := range groups {
		if name == "" || strings.ContainsRune(name, ',') {
			return "", fmt.Errorf("%q is no name of a group of tools", name)
		}
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(groups))), ","), nil
}

// namesOf reads what listOf wrote; nil for no names.
func namesOf(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}
