package document

import (
	"errors"
	"sync/atomic"
)

// own says that this program reads documents where it is started with exchange.Verb.
var own atomic.Bool

// UseOwnProgram says that this program reads documents where it is started with exchange.Verb.
func UseOwnProgram() { own.Store(true) }

// errNoProgram is returned where nothing is there that reads documents.
var errNoProgram = errors.New("it is not part of this build")
