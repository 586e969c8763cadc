package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"fairlead/backend/message"
)

const (
	maxArguments = 100
	maxArgument  = 4096
	maxVariables = 50
	maxAddress   = 2048
)

// Kind is how a server is reached.
type Kind string

// The kinds.
const (
	// KindStdio is a program that is started, and spoken to over its standard input and output.
	KindStdio Kind = "stdio"
	// KindHTTP is a server elsewhere, over streamable HTTP, and KindSSE one of the first version.
	KindHTTP Kind = "http"
	KindSSE  Kind = "sse"
)

// Definition says which server it is. It holds no secret: values of variables and headers are
// kept elsewhere, by their names. A server starts in the workspace.
type Definition struct {
	// Name is what the user and the model call it: a to z, 0 to 9, - and _.
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	// Command and Args are those of a program.
	Command string   `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
	// URL is the address of a server elsewhere.
	URL string `json:"url,omitempty"`
	// Variables are the names of environment variables that it is given, sorted.
	Variables []string `json:"variables,omitempty"`
	// Headers are the names of the headers that are sent to it, sorted.
	Headers []string `json:"headers,omitempty"`
}

var (
	serverName   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9_-]{1,32}$`) })
	variableName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`) })
	headerName   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$") })
	// reference is a value that other clients would fill in.
	reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{[^{}]*\}`) })
)

// Check returns an error where the definition cannot be used; it says why, for the user.
func (d Definition) Check() error {
	if !serverName().MatchString(d.Name) {
		return fmt.Errorf("the name %s is not one of a server: use up to 32 of a to z, 0 to 9, - and _", shownText(d.Name))
	}
	var err error
	switch d.Kind {
	case KindStdio:
		err = d.checkCommand()
	case KindHTTP, KindSSE:
		err = d.checkAddress()
	default:
		err = fmt.Errorf("%s is no way to reach a server: there are stdio, http and sse", shownText(string(d.Kind)))
	}
	if err != nil {
		return fmt.Errorf("the server %s cannot be used: %w", d.Name, err)
	}
	return nil
}

func (d Definition) checkCommand() error {
	switch {
	case d.URL != "" || len(d.Headers) > 0:
		return errors.New("a program has no address and no headers")
	case d.Command == "":
		return errors.New("it names no command")
	case len(d.Args) > maxArguments || len(d.Variables) > maxVariables:
		return fmt.Errorf("it has more than %d arguments or %d variables", maxArguments, maxVariables)
	}
	for _, word := range append([]string{d.Command}, d.Args...) {
		switch {
		case len(word) > maxArgument || strings.ContainsRune(word, 0):
			return fmt.Errorf("an argument is longer than %d bytes, or holds a NUL", maxArgument)
		case reference().MatchString(word):
			return fmt.Errorf("%s needs a value: write it in its place", shownText(reference().FindString(word)))
		}
	}
	if engine := containerEngine(d.Command, d.Args); engine != "" {
		return fmt.Errorf("%s has its own service start the server, outside of all that confines it: use the package of the server itself (npx, uvx, a program), or its address", engine)
	}
	for _, name := range d.Variables {
		if err := checkVariable(name); err != nil {
			return err
		}
	}
	return nil
}

func (d Definition) checkAddress() error {
	if d.Command != "" || len(d.Args) > 0 || len(d.Variables) > 0 {
		return errors.New("a server with an address has no command, arguments or variables")
	}
	if ref := reference().FindString(d.URL); ref != "" {
		return fmt.Errorf("%s needs a value: write it in its place", shownText(ref))
	}
	u, err := url.Parse(d.URL)
	switch {
	case err != nil || len(d.URL) > maxAddress || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("%s is no address that begins with https:// or http://", shownText(d.URL))
	case u.User != nil:
		return errors.New("the address holds a user name or a password: give it as a header")
	case u.Fragment != "":
		return errors.New("the address has a part after #, which is never sent")
	}
	for name := range u.Query() {
		if asksForSecret(name) {
			return fmt.Errorf("the address holds a secret in %s: give it as a header", shownText(name))
		}
	}
	if len(d.Headers) > maxVariables {
		return fmt.Errorf("it has more than %d headers", maxVariables)
	}
	for _, name := range d.Headers {
		if !headerName().MatchString(name) || slices.Contains(ownHeaders, strings.ToLower(name)) {
			return fmt.Errorf("the header %s cannot be set", shownText(name))
		}
	}
	return nil
}

// ownHeaders are those that the connection itself sets.
var ownHeaders = []string{
	"accept", "connection", "content-length", "content-type", "host", "last-event-id", "mcp-method", "mcp-name",
	"mcp-protocol-version", "mcp-session-id", "te", "trailer", "transfer-encoding", "upgrade",
}

// runsOther are variables that decide what runs. Their values are not part of what is agreed to.
var runsOther = []string{
	"BASH_ENV", "CLASSPATH", "ENV", "IFS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "NODE_OPTIONS", "NODE_PATH", "PATH",
	"PATHEXT", "PERL5LIB", "PERL5OPT", "PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP", "RUBYLIB", "RUBYOPT", "_JAVA_OPTIONS",
}

func checkVariable(name string) error {
	upper := strings.ToUpper(name)
	switch {
	case !variableName().MatchString(name):
		return fmt.Errorf("%s is no name of a variable", shownText(name))
	case slices.Contains(runsOther, upper) || strings.HasPrefix(upper, "LD_") || strings.HasPrefix(upper, "DYLD_"):
		return fmt.Errorf("the variable %s decides what runs, and its value would not be part of what you agree to: leave it out", name)
	}
	return nil
}

// containerEngine names the program in a command that has a service start containers; empty for
// none.
func containerEngine(command string, args []string) string {
	engines := []string{"docker", "podman", "nerdctl", "finch", "docker-compose"}
	if name := programName(command); slices.Contains(engines, name) {
		return name
	}
	if !slices.Contains([]string{"bash", "cmd", "doas", "env", "nohup", "sh", "sudo", "zsh"}, programName(command)) {
		return ""
	}
	for _, word := range strings.Fields(strings.Join(args, " ")) {
		if name := programName(strings.Trim(word, `"'`)); slices.Contains(engines, name) {
			return name
		}
	}
	return ""
}

// programName is the name of a program by its path, without what Windows adds.
func programName(command string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(command, `\`, "/")))
	for _, ending := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// Hash names everything that decides what runs or where it connects: SHA-256 in hex.
func (d Definition) Hash() string { return hashOf("definition", d) }

// hashOf is the SHA-256 of a value as JSON, in hex, apart from those of other kinds.
func hashOf(kind string, value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("hash a %s: %v", kind, err)) // it is made of texts and numbers
	}
	sum := sha256.Sum256(append([]byte("fairlead mcp "+kind+"\x00"), text...))
	return hex.EncodeToString(sum[:])
}

// String is the definition in one line as the user is shown it, hidden characters visible.
func (d Definition) String() string {
	if d.Kind != KindStdio {
		return message.Inline(d.URL)
	}
	words := []string{quoteWord(d.Command)}
	for _, word := range d.Args {
		words = append(words, quoteWord(word))
	}
	return strings.Join(words, " ")
}

// quoteWord is a word of a command line, in quotes where it would read as several.
func quoteWord(word string) string {
	shown := message.Inline(word)
	if shown == "" || strings.ContainsAny(shown, " \t\"'\\") {
		return "'" + strings.ReplaceAll(shown, "'", `'\''`) + "'"
	}
	return shown
}

// shownText is a foreign text in a sentence: short, in quotes, hidden characters visible.
func shownText(text string) string {
	const most = 100
	text = strings.ToValidUTF8(text, "\uFFFD")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return `"` + message.Inline(text) + `"`
}
