package process

import (
	"io"

	"golang.org/x/sys/windows"
	"golang.org/x/text/transform"
)

// newDecoder returns what turns a program's bytes into UTF-8. They come in the code
// page of the console, or of the system where there is no console. Guessing
// instead would be wrong for short texts: many GBK words are valid UTF-8.
func newDecoder(out io.Writer) io.WriteCloser {
	page, err := windows.GetConsoleOutputCP()
	if err != nil || page == 0 {
		page = windows.GetACP()
	}
	return transform.NewWriter(out, codePage(page).NewDecoder())
}
