//go:build !linux && !darwin

package process

import "os"

// startConfined starts a command as it is: there is nothing that confines it here.
func startConfined(c Command, output *os.File) (tree, error) {
	c.Env = c.Space.Environment(c.Env)
	return startPlain(c, output)
}
