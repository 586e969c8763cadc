//go:build (desktop || dev || bindings) && !linux

package desktop

// setUpEngine has nothing to say to the engine of this system.
func setUpEngine() {}
