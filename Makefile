# The targets of this repository. `make run` needs Go and Node; `make test` is what
# CI runs.

# How long `make fuzz` works on each target.
FUZZTIME ?= 2m

.PHONY: run dev build gen test quick screenshots lint fmt fuzz bench soak mutate conformance package package-check windows arm64 clean

# run opens the window. Where there is no display, the guided tour runs in the
# terminal: offline, without a key.
run:
	@build/run.sh

# dev opens the window on a page that is built anew whenever its source changes.
dev:
	@build/need.sh go node window
	@build/dev.sh

# build makes bin/fairlead, one static program without symbols for a debugger, and
# beside it bin/fairlead-window, which it opens.
build:
	@build/need.sh go node window
	@build/both.sh

# gen writes the files that are made from Go and SQL code.
gen:
	@build/need.sh go
	@build/queries.sh backend/store/queries
	go generate ./...
	@build/bindings.sh frontend

# test checks everything, stage by stage, and tells how long each took.
test:
	@build/test.sh

# quick checks what takes little time, while you work: the form of the code, go vet for
# this system, the page's types and the tests of its changed files, and the Go tests of
# changed packages without the race detector. It is no substitute for test.
quick:
	@build/need.sh go node
	@build/test.sh quick

# screenshots makes the pictures anew that `make test` compares the page with, and
# those of the README.
screenshots:
	@build/need.sh go node window e2e
	@build/page.sh
	@build/program.sh dev bin/fairlead-dev
	@build/e2e.sh screenshots

# lint applies .golangci.yml to the code of all three systems.
lint:
	@build/need.sh go
	@build/lint.sh

# fmt rewrites the Go files in the form that lint asks for.
fmt:
	@build/need.sh go
	go tool -modfile=tools/go.mod golangci-lint fmt

# fuzz works FUZZTIME (2m) on each fuzz target.
fuzz:
	@build/need.sh go
	@build/fuzz.sh $(FUZZTIME)

# bench measures what Fairlead costs. ONLY=start,steps keeps to some of its parts.
bench:
	@build/need.sh go
	@build/bench.sh -only "$(ONLY)"

# soak runs the tests that are long by nature in their long form, for two hours or so. On
# Debian it also boots other kernels, for which it wants root.
soak:
	@build/need.sh go gcc node window e2e soak kernels
	@build/soak.sh

# mutate breaks the code on purpose, one line at a time, and expects the tests to
# notice. ONLY=text keeps to the breaks whose name holds the text.
mutate:
	@build/need.sh go
	go run -C tools ./mutate -only "$(ONLY)" mutate/breaks.txt ..

# conformance runs the suites of the Model Context Protocol on a client, in three minutes or
# so. ONLY=auth/metadata-default keeps to one scenario.
conformance:
	@build/need.sh go node
	@build/conformance.sh $(ONLY)

# package puts into dist/ what people install.
package:
	@build/need.sh go node window package
	@build/package.sh dist

# package-check installs the Debian package into a clean system of its own and
# opens the window there. It wants root.
package-check:
	@build/need.sh go node window package e2e check
	@build/package-check.sh

# windows runs the tests of the code for Windows under Wine, on Debian, in half an hour or
# so, and then installs and removes Fairlead there. ONLY="change store" keeps to some
# packages below backend; build/windows-installer-test.sh alone tries the installer.
windows:
	@build/need.sh go node window package wine
	@build/windows.sh $(ONLY)
	@[ -n "$(ONLY)" ] || build/windows-installer-test.sh

# arm64 builds the command line for Linux on arm64 and runs the tests under qemu-user, all but
# those of commands and documents, which are confined, on Debian. ONLY="change store" keeps to
# some packages below backend.
arm64:
	@build/need.sh go arm64
	@build/arm64.sh $(ONLY)

clean:
	rm -rf bin dist frontend/dist backend/sandbox/built backend/tool/document/built
