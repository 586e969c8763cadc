# The doors of this repository. `make run` needs Go only; `make test` is what CI runs.


# How long `make fuzz` works on each target.
FUZZTIME ?= 2m

# Go stamps the commit into the program. Where git cannot read the checkout (an
# archive, another owner) it would refuse to build instead.
STAMP = $(shell git rev-parse HEAD >/dev/null 2>&1 || echo -buildvcs=false)

.PHONY: run test lint fmt gen fuzz bench build clean mutate

# run starts the guided tour in the terminal: offline, without a key.
run: build
	bin/fairlead run --provider demo

# build makes bin/fairlead, one static program without symbols for a debugger.
build:
	@build/need.sh go node
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' $(STAMP) -o bin/ .

# test checks everything, stage by stage, and says how long each took.
test:
	@build/test.sh

# lint applies .golangci.yml to the code of all three systems.
lint:
	@build/need.sh go
	@build/lint.sh

# fmt rewrites the Go files in the form that lint asks for.
fmt:
	@build/need.sh go
	go tool -modfile=tools/go.mod golangci-lint fmt

gen:
	@build/need.sh go
	go generate ./...

# fuzz works FUZZTIME (2m) on each fuzz target.
fuzz:
	@build/need.sh go
	@build/fuzz.sh $(FUZZTIME)

bench:
	@build/need.sh go
	go run ./bench

# mutate breaks the code on purpose, one line at a time, and expects the tests to
# notice. ONLY=text keeps to the breaks whose name holds the text.
mutate:
	@build/need.sh go
	go run -C tools ./mutate -only "$(ONLY)" mutate/breaks.txt ..

clean:
	rm -rf bin dist
