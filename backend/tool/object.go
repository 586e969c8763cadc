package tool

import (
	"errors"
	"fmt"
	"reflect"
)

// Object returns what the host lends to the tools under this type (Options.Objects):
// the one whose type is exactly T, or for an interface the first that implements it.
// It is no argument: the model does not know of it.
func Object[T any](in Input) (object T, ok bool) {
	for _, lent := range in.objects {
		if object, ok = lent.(T); ok {
			return object, true
		}
	}
	return object, false
}

// distinct refuses objects that their types do not tell apart.
func distinct(objects []any) error {
	types := map[reflect.Type]bool{}
	for _, object := range objects {
		one := reflect.TypeOf(object)
		switch {
		case one == nil:
			return errors.New("lend objects to tools: one is nil")
		case types[one]:
			return fmt.Errorf("lend objects to tools: there are two of type %s", one)
		}
		types[one] = true
	}
	return nil
}
