package window

import (
	"context"
	"slices"
	"time"
)

// Pair is a figure of the empty window and of Fairlead's.
type Pair[T time.Duration | int64] struct{ Empty, Fairlead T }

// byTurns measures both windows so often, by turns, so that what the machine does
// beside them falls on both. It returns the medians.
func byTurns[T time.Duration | int64](ctx context.Context, times int, empty, fairlead func(context.Context) (T, error)) (Pair[T], error) {
	var all [2][]T
	for range times {
		for i, measure := range []func(context.Context) (T, error){empty, fairlead} {
			value, err := measure(ctx)
			if err != nil {
				return Pair[T]{}, err
			}
			all[i] = append(all[i], value)
		}
	}
	return Pair[T]{Empty: medianValue(all[0]), Fairlead: medianValue(all[1])}, nil
}

// medianValue of values that are not empty; the lower one of two in the middle.
func medianValue[T time.Duration | int64](values []T) T {
	return slices.Sorted(slices.Values(values))[(len(values)-1)/2]
}
