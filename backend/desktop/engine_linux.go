//go:build desktop || dev || bindings

package desktop

import "os"

// setUpEngine says to WebKitGTK how the page is to be run and drawn. Its processes
// read this from the environment when they start; what the user has set there
// holds.
func setUpEngine() {
	// This way of drawing leaves windows blank with NVIDIA's driver.
	if hasNvidia() {
		setDefault("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
	}
	// The page's scripts are short. Compiling them with the optimizing compilers
	// takes 8 MB and saves no time that could be measured; it is also one thing less
	// that text from outside could be made to break.
	setDefault("JSC_useDFGJIT", "0")
}

func setDefault(variable, value string) {
	if _, set := os.LookupEnv(variable); !set {
		_ = os.Setenv(variable, value) // the name is valid, and nothing else can fail
	}
}

func hasNvidia() bool {
	_, err := os.Stat("/sys/module/nvidia") //nolint:forbidigo // the driver is no file of the user
	return err == nil
}
