package process

import (
	"io"

	"golang.org/x/sys/windows"
	"golang.org/x/text/transform"
)

// newDecoder returns what turns a program's bytes into UTF-8. Guessing which encoding they
// have would be wrong for short texts: many GBK words are valid UTF-8.
func newDecoder(out io.Writer) io.WriteCloser {
	return transform.NewWriter(out, codePage(outputPage()).NewDecoder())
}

// outputPage is the code page in which programs write. Tests stand in for it.
var outputPage = newConsolePage

// newConsolePage is the code page of a console that is new, as that of a command is
// (CREATE_NO_WINDOW), whatever Fairlead's own has. Windows calls it the OEM code page.
func newConsolePage() uint32 {
	page, _, _ := getOEMCP.Call()
	return uint32(page) //nolint:gosec // a code page is a small number
}

var getOEMCP = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetOEMCP")
