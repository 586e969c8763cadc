package document

import (
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"

	"fairlead/backend/sandbox/runnable"
	"fairlead/backend/tool/document/exchange"
)

// mustBeSealed says that the system can keep the reader from everything else.
const mustBeSealed = true

// openEmbedded makes the program that is built in ready to be run, once.
var openEmbedded = sync.OnceValues(func() (*os.File, error) {
	packed, err := gzip.NewReader(strings.NewReader(embedded))
	if err != nil {
		return nil, fmt.Errorf("unpack it: %w", err)
	}
	defer runnable.Forget(embedded)
	return runnable.InMemory("fairlead-documents", packed) // it is not held here, not even for a moment
})

// readerCommand is the command of the program that reads documents: the one that is built in, or
// else this one.
func readerCommand(arguments []string) (*exec.Cmd, error) {
	if embedded == "" && !own.Load() {
		return nil, errNoProgram
	}
	if embedded == "" {
		// The one that runs, if another lies in its place by now.
		cmd := exec.Command("/proc/self/exe", append([]string{exchange.Verb}, arguments...)...)
		cmd.Args[0] = os.Args[0]
		return cmd, nil
	}
	opened, err := openEmbedded()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(fmt.Sprintf("/proc/self/fd/%d", opened.Fd()), arguments...)
	cmd.Args[0] = exchange.Verb
	return cmd, nil
}
