//go:build desktop || dev || bindings

package desktop

import "os"

// avoidGPU turns off the way of drawing that leaves windows blank with NVIDIA's
// driver, unless the person has decided about it.
func avoidGPU() {
	const variable = "WEBKIT_DISABLE_DMABUF_RENDERER"
	if _, set := os.LookupEnv(variable); set {
		return
	}
	if nvidia() {
		_ = os.Setenv(variable, "1") // the name is valid, and nothing else can fail
	}
}

func nvidia() bool {
	_, err := os.Stat("/sys/module/nvidia") //nolint:forbidigo // the driver is no file of the person
	return err == nil
}
