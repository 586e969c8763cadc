package settings

import (
	"fmt"
	"strconv"
)

// Calls are how models are called, whichever they are.
type Calls struct {
	// Effort is how much a model should reason: off, low, medium or high; empty leaves
	// it to the model.
	Effort string
	// MaxTokens bounds a reply, in tokens; 0 leaves it to the endpoint.
	MaxTokens int
	// Temperature is from 0 to 2; nil leaves it to the endpoint.
	Temperature *float64
	// Proxy is the address of the proxy; empty leaves it to the environment.
	Proxy string
	// CAFile is a PEM file of certificate authorities to trust beside the system's;
	// empty for none.
	CAFile string
}

// Calls reads them from the environment and the file, with the defaults for what
// neither says.
func (f File) Calls() (Calls, error) {
	calls := Calls{Effort: f.Value("reasoning-effort"), Proxy: f.Value("proxy"), CAFile: f.Value("ca-file")}
	var err error
	if calls.MaxTokens, err = strconv.Atoi(f.Value("max-output-tokens")); err != nil {
		return Calls{}, fmt.Errorf("read setting max_output_tokens: %w", err)
	}
	if text := f.Value("temperature"); text != "" {
		temperature, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return Calls{}, fmt.Errorf("read setting temperature: %w", err)
		}
		calls.Temperature = &temperature
	}
	return calls, nil
}
