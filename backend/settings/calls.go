package settings

import "fmt"

// Calls are how models are called, whichever they are.
type Calls struct {
	// Effort is how much a model should reason, from off to max; empty leaves
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

// Calls are how models are called.
func (f File) Calls() (Calls, error) {
	var calls Calls
	for _, o := range options {
		if o.call == nil {
			continue
		}
		if err := decode(f.valueOf(o), o.call(&calls)); err != nil {
			return Calls{}, fmt.Errorf("read setting %s: %w", o.Key, err)
		}
	}
	return calls, nil
}
