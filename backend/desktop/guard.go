package desktop

import (
	"fmt"
	"runtime/debug"
)

// Guard runs the body of a bound method. The page waits for ever on a call that
// panics and takes an error without text for success, so a panic becomes an
// error here, and an error a *Fault, which always has text and no key. Whatever is asked
// before the window has opened its folders waits for that.
func Guard[T any](w *Window, do func() (T, error)) (result T, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			w.logPanic(problem, debug.Stack())
			err = w.faultWithoutKeys(&Fault{
				Code: CodeInternal, Message: fmt.Sprintf("Fairlead failed: %v", problem),
				Hint: "try again, and report it if it happens again",
			})
		}
	}()
	if err := w.waitOpen(); err != nil {
		return result, w.faultWithoutKeys(err)
	}
	if result, err = do(); err != nil {
		return result, w.faultWithoutKeys(err)
	}
	return result, nil
}

// None is the result of a bound method that has none.
type None struct{}
