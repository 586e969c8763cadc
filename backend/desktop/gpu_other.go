//go:build (desktop || dev || bindings) && !linux

package desktop

// avoidGPU has nothing to avoid on this system.
func avoidGPU() {}
