package cli_test

import "os"

// peakOf is 0: the system does not say.
func peakOf(*os.ProcessState) int64 { return 0 }
