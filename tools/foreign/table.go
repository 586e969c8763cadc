package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// tell prints what came of a package, and what its failed tests said.
func (r result) tell(out io.Writer) {
	fmt.Fprintf(out, "%-30s %3d passed, %d left out", r.name, len(r.passed), r.testsLeftOut())
	if r.fault != "" {
		fmt.Fprintf(out, ", %s\n%s", r.fault, r.output)
	}
	fmt.Fprintln(out)
}

// table is a table in Markdown of what passed, and of what was left out and why.
func table(all []result) string {
	var text strings.Builder
	text.WriteString("| package | passed | left out |\n|---|---|---|\n")
	var passed, leftOut int
	for _, each := range all {
		count := fmt.Sprint(each.testsLeftOut())
		if slices.ContainsFunc(each.leftOut, omission.whole) {
			count = "all"
		}
		fmt.Fprintf(&text, "| %s | %d | %s |\n", each.name, len(each.passed), count)
		passed += len(each.passed)
		leftOut += each.testsLeftOut()
	}
	fmt.Fprintf(&text, "| all | %d | %d |\n", passed, leftOut)
	if !slices.ContainsFunc(all, func(r result) bool { return len(r.leftOut) > 0 }) {
		return text.String()
	}
	text.WriteString("\n| left out | why |\n|---|---|\n")
	for _, each := range all {
		for _, one := range each.leftOut {
			what := each.name + ": `" + one.test + "`"
			if one.whole() {
				what = each.name
			}
			fmt.Fprintf(&text, "| %s | %s |\n", what, one.reason)
		}
	}
	return text.String()
}
