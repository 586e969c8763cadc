package settings

import "slices"

// ChangeMore changes more in a settings file than the providers that it says it does.
func ChangeMore(folder string) error {
	return editProviders(folder, func(_ string, content []byte, before File) ([]byte, []OwnProvider, error) {
		return slices.Concat([]byte("parallel = 2\n"), content), before.Providers(), nil
	})
}

// KnownProviders returns the names that no own provider can have.
func KnownProviders() []string { return slices.Clone(knownProviders) }
