package event

import "reflect"

// OfRuns returns an empty payload of each type that an event of a run can have.
func OfRuns() []Data {
	var all []Data
	for _, kind := range kinds {
		all = append(all, reflect.Zero(kind).Interface().(Data)) //nolint:forcetypeassert // kinds holds nothing else
	}
	return all
}
