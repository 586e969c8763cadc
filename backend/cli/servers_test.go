package cli_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"
)

// builtServers is the folder with the server of tests, once it was built; empty before.
var builtServers string

// buildServer returns the program that is the server of tests (mcp/host/testserver).
var buildServer = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "testserver")
	if err != nil {
		return "", err
	}
	builtServers = folder
	program := filepath.Join(folder, "testserver")
	build := exec.Command("go", "build", "-trimpath", "-o", program, "fairlead/backend/mcp/host/testserver")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	return program, build.Run()
})

// testsWithServer removes the server of tests after them.
type testsWithServer struct{ *testing.M }

func (m testsWithServer) Run() int {
	code := m.M.Run()
	_ = os.RemoveAll(builtServers)
	return code
}

// useServer sets SERVER to the program that is the server of tests.
func useServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: server")
	}
	program, err := buildServer()
	ts.Check(err)
	ts.Setenv("SERVER", program)
}

// greeter is an MCP server over HTTP.
func greeter() http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "remote", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "greet", Description: "Greet somebody."},
		func(_ context.Context, _ *mcp.CallToolRequest, in struct {
			Name string `json:"name"`
		},
		) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "hello " + in.Name}}}, nil, nil
		})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
}

// startRemote starts a server elsewhere that wants a key in a header, and sets SERVER_URL to its
// address.
func startRemote(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: remote HEADER KEY")
	}
	handler := greeter()
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(args[0]) != args[1] {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	ts.Defer(func() {
		listening.CloseClientConnections()
		listening.Close()
	})
	ts.Setenv("SERVER_URL", listening.URL)
}

// fillIn puts what they stand for in the place of SERVER_URL and CANARY_KEY in a file.
func fillIn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fill-in FILE")
	}
	text := strings.NewReplacer("SERVER_URL", ts.Getenv("SERVER_URL"), "CANARY_KEY", ts.Getenv("CANARY_KEY")).Replace(ts.ReadFile(args[0]))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}
