package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"fairlead/backend/sandbox/seal"
	"fairlead/backend/tool/document/exchange"
)

const (
	// maxMemory is how much memory the program may have of its own, in bytes. With PDFium, and to read
	// pictures, whose memory has a bound of its own (package picture), it may have more addresses: Go's
	// heap reserves 64 MiB at a time, of which it does not use all. From collectAt on it does without
	// what it does not need, however long that takes.
	maxMemory    = 300 << 20
	maxAddresses = maxMemory + 84<<20
	collectAt    = 200 << 20
	// maxProcessor is for how many seconds it may compute in all. It is started anew well before.
	maxProcessor = 120
)

// Main is the program that reads documents: it takes requests from the standard input, and answers
// them on the standard output, until the former ends. The arguments are what follows the verb.
func Main(arguments []string) int {
	conn := exchange.NewConn(os.Stdin, os.Stdout)
	if err := serve(conn, arguments); err != nil {
		// Where it ended is all that matters to the other side, which may be gone.
		return 1
	}
	return 0
}

func serve(conn *exchange.Conn, arguments []string) error {
	runtime.GOMAXPROCS(2) // one to compute, one to collect
	debug.SetMemoryLimit(collectAt)
	pdfs, hello := prepare(arguments)
	if hello.Failed == "" && !hello.Compiled {
		// PDFium is compiled by now, which needs files and makes new code.
		bounds := seal.Bounds{Memory: maxMemory, Processor: maxProcessor}
		if arguments[0] != exchange.ReadsRest {
			bounds.Memory = maxAddresses
		}
		if err := seal.Process(bounds); err != nil {
			hello.Unsealed = err.Error()
		}
	}
	if err := conn.Write(exchange.HelloFrame, hello); err != nil || hello.Failed != "" || hello.Compiled {
		return err
	}
	for {
		kind, content, err := conn.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case kind != exchange.RequestFrame:
			return fmt.Errorf("%q instead of a request", kind)
		}
		var request exchange.Request
		if err := exchange.Parse(content, &request); err != nil {
			return err
		}
		said := answer(conn, pdfs, request)
		if err := conn.Write(exchange.AnswerFrame, said); err != nil || said.Ends {
			return err
		}
	}
}

// prepare makes ready what a kind of reader needs.
func prepare(arguments []string) (*PDFs, exchange.Hello) {
	switch {
	case len(arguments) == 2 && arguments[0] == exchange.ReadsPDF:
		before := listCompiled(arguments[1])
		pdfs, err := OpenPDFs(context.Background(), arguments[1])
		if err != nil {
			return nil, exchange.Hello{Failed: err.Error()}
		}
		return pdfs, exchange.Hello{Compiled: removeOthers(before, listCompiled(arguments[1]))}
	case len(arguments) == 1 && (arguments[0] == exchange.ReadsPictures || arguments[0] == exchange.ReadsRest):
		return nil, exchange.Hello{}
	}
	return nil, exchange.Hello{Failed: "it does not say what is to be read"}
}

// listCompiled lists what PDFium was compiled to, by whichever version of the compiler.
func listCompiled(cache string) []string {
	found, _ := filepath.Glob(filepath.Join(cache, "*", "*")) // the pattern is well formed
	return found
}

// removeOthers reports whether something new was compiled, and removes what was there before then: it is of
// another version.
func removeOthers(before, now []string) bool {
	isOld := func(name string) bool { return slices.Contains(before, name) }
	if !slices.ContainsFunc(now, func(name string) bool { return !isOld(name) }) {
		return false
	}
	for _, name := range before {
		_ = os.Remove(name) // it only takes space
	}
	return true
}

// answer reads a document.
func answer(conn *exchange.Conn, pdfs *PDFs, request exchange.Request) (a exchange.Answer) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(request.Milliseconds)*time.Millisecond)
	defer cancel()
	defer func() {
		// A document that no reader was made for has left it in a state that nobody knows.
		if fault := recover(); fault != nil {
			a = exchange.Answer{Failure: &exchange.Failure{Reason: exchange.Broken, Detail: fmt.Sprint(fault)}, Ends: true}
		}
	}()
	text, err := Extract(ctx, pdfs, Source{&remote{conn: conn, size: request.Size}, request.Size}, request)
	var failure *exchange.Failure
	switch {
	case errors.As(err, &failure):
		return exchange.Answer{Failure: failure}
	case err != nil:
		return exchange.Answer{Error: err.Error()}
	}
	return exchange.Answer{Text: &text}
}

// keptPieces is how many pieces of a file are kept.
const keptPieces = 32

// remote is a file that lies on the other side, of which pieces are fetched.
type remote struct {
	conn *exchange.Conn
	size int64
	// pieces are those fetched last, by their place; used tells when each was used.
	pieces map[int64][]byte
	used   map[int64]int
	clock  int
}

// ReadAt implements io.ReaderAt.
func (r *remote) ReadAt(buffer []byte, offset int64) (n int, err error) {
	if offset < 0 {
		return 0, os.ErrInvalid
	}
	for n < len(buffer) {
		at := offset + int64(n)
		if at >= r.size {
			return n, io.EOF
		}
		piece, err := r.piece(at / exchange.MaxPiece)
		if err != nil {
			return n, err
		}
		from := at % exchange.MaxPiece
		if from >= int64(len(piece)) {
			return n, io.ErrUnexpectedEOF // it is shorter than it was
		}
		n += copy(buffer[n:], piece[from:])
	}
	return n, nil
}

// piece returns a piece by its number.
func (r *remote) piece(number int64) ([]byte, error) {
	r.clock++
	if piece, ok := r.pieces[number]; ok {
		r.used[number] = r.clock
		return piece, nil
	}
	if r.pieces == nil {
		r.pieces, r.used = map[int64][]byte{}, map[int64]int{}
	}
	if len(r.pieces) == keptPieces {
		oldest := number
		for other, used := range r.used {
			if oldest == number || used < r.used[oldest] {
				oldest = other
			}
		}
		delete(r.pieces, oldest)
		delete(r.used, oldest)
	}
	if err := r.conn.Want(number*exchange.MaxPiece, exchange.MaxPiece); err != nil {
		return nil, err
	}
	piece, err := r.conn.ReadBytes()
	if err != nil {
		return nil, err
	}
	r.pieces[number], r.used[number] = piece, r.clock
	return piece, nil
}
