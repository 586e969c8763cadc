//go:build e2e && linux

package native

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// What all tests share: the program under test, the page it shows, the driver of
// the screen, and the page's words in both languages.
var (
	program string
	page    string
	screen  *driver
	english words
	chinese words
)

func TestMain(m *testing.M) {
	if err := prepare(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	code := m.Run()
	if err := screen.close(); err != nil {
		fmt.Fprintln(os.Stderr, "error: end the driver:", err)
		code = 1
	}
	os.Exit(code)
}

func prepare() (err error) {
	if os.Getenv("DESKTOP_DIR") == "" {
		return fmt.Errorf("these tests need a desktop of their own; run e2e/desktop.sh go test -tags e2e ./e2e/native")
	}
	program = os.Getenv("FAIRLEAD_WINDOW")
	if program == "" {
		program = filepath.Join("..", "..", "bin", "fairlead-dev")
	}
	if program, err = filepath.Abs(program); err != nil {
		return err
	}
	// The window library reads where the page is from this variable.
	page = os.Getenv("assetdir")
	if page == "" {
		page = filepath.Join("..", "..", "frontend", "dist")
	}
	if page, err = filepath.Abs(page); err != nil {
		return err
	}
	for _, file := range []string{program, filepath.Join(page, "index.html")} {
		if _, err := os.Stat(file); err != nil {
			return fmt.Errorf("%w; build the page and the window first", err)
		}
	}
	if english, err = readWords("en"); err != nil {
		return err
	}
	if chinese, err = readWords("zh-CN"); err != nil {
		return err
	}
	screen, err = startDriver()
	return err
}
