package desktop_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// piped answers as the window library does: through a pipe that children inherit.
type piped struct {
	header       http.Header
	reads, write *os.File
}

func (p *piped) Header() http.Header { return p.header }

func (p *piped) WriteHeader(int) {
	var ends [2]int
	if err := unix.Pipe2(ends[:], 0); err != nil {
		panic(err)
	}
	p.reads, p.write = os.NewFile(uintptr(ends[0]), "reads"), os.NewFile(uintptr(ends[1]), "writes")
}

func (p *piped) Write(text []byte) (int, error) {
	if p.write == nil {
		p.WriteHeader(http.StatusOK)
	}
	return p.write.Write(text)
}

// An answer that is given while a dialog or a command starts must not last until
// that has ended.
func TestAnswerEndsWhileAChildLives(t *testing.T) {
	s := open(t, "", nil)
	answer := &piped{header: http.Header{}}
	child := exec.Command("cat")
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	assets := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "page") // the pipe has space
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
	})
	s.Middleware(assets).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/page.html", nil))
	defer func() {
		_ = stdin.Close()
		_ = child.Wait()
		_ = answer.reads.Close()
	}()
	_ = answer.write.Close()
	// A pipe that Go did not make blocks a read without a deadline.
	read := make(chan string, 1)
	go func() {
		text, err := io.ReadAll(answer.reads)
		if err != nil {
			t.Error(err)
		}
		read <- string(text)
	}()
	select {
	case text := <-read:
		if text != "page" {
			t.Errorf("read %q", text)
		}
	case <-time.After(deadline):
		t.Error("the answer does not end while the child lives")
		_ = stdin.Close()
		<-read
	}
}
