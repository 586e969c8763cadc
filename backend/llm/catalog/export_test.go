package catalog

import (
	"maps"
	"slices"
)

// Listed returns the models of a provider in the public list.
func Listed(provider string) []string { return slices.Sorted(maps.Keys(listed()[provider])) }
