// Command names counts the unexported functions and methods that are named by
// one word, package by package:
//
//	go -C tools run ./names [-list] ..
//
// A name says what is done and to what (setResults, writeRow), so one word is
// rarely enough. The accepted names, which every Go reader knows, do not count;
// neither do main, init, tests and generated files. It ends with 1 when more
// than limit of all these functions have a name of one word.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

// limit is the share of names of one word, in percent, that is still fine.
const limit = 20

func main() {
	list := flag.Bool("list", false, "print each name of one word with its file and line")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: names [-list] ROOT")
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), *list); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, root string, list bool) error {
	packages, err := count(root)
	if err != nil {
		return err
	}
	var functions, oneWord int
	for _, p := range packages {
		functions += p.functions
		oneWord += len(p.oneWord)
		if len(p.oneWord) == 0 {
			continue
		}
		fmt.Fprintf(out, "%3d of %3d  %s\n", len(p.oneWord), p.functions, p.folder)
		for _, f := range p.oneWord {
			if list {
				fmt.Fprintf(out, "            %s:%d: %s\n", f.file, f.line, f.name)
			}
		}
	}
	fmt.Fprintf(out, "%d of %d unexported functions and methods have a name of one word\n", oneWord, functions)
	if oneWord*100 >= limit*functions && functions > 0 {
		return fmt.Errorf("%d %% of the names are one word, the limit is %d %%", oneWord*100/functions, limit)
	}
	return nil
}
