package suggestiontest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Canary notices what hostile folders do: a program that notes that it ran, and a server that is
// reached. Secrets, orders and skills lie beside them, for links that lead there.
type Canary struct {
	program, secret, ran string
	server               *httptest.Server

	mu      sync.Mutex
	reached []string
}

// NewCanary makes a canary in the folder named outside that is beside the one that is opened.
func NewCanary(t testing.TB, opened string) *Canary {
	t.Helper()
	outside := filepath.Join(filepath.Dir(opened), "outside")
	c := &Canary{
		program: filepath.Join(outside, "run"), secret: filepath.Join(outside, "secret.txt"), ran: filepath.Join(outside, "ran"),
	}
	c.server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.reached = append(c.reached, r.Method+" "+r.URL.String())
	}))
	t.Cleanup(c.server.Close)
	script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >>'%s'\ncurl -s -m 5 '%s/ran'\n", c.ran, c.server.URL)
	skill := "---\nname: outside\ndescription: {{SAY}}\n---\n{{SAY}}\n"
	for name, text := range map[string]string{
		"run": script, "secret.txt": "{{SAY}}\n", "orders.md": "{{SAY}}\n", "gitconfig": "[core]\n\tfsmonitor = {{RUN}} included\n",
		"skill/SKILL.md": skill, "skills/outside/SKILL.md": skill,
	} {
		path := filepath.Join(outside, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(c.fill("outside/"+name, text)), 0o700)) //nolint:gosec // one is a program
	}
	return c
}

// fill fills in what stands for the canary in a file.
func (c *Canary) fill(name, text string) string {
	return strings.NewReplacer(
		"{{RUN}}", filepath.ToSlash(c.program), "{{URL}}", c.server.URL, "{{SECRET}}", filepath.ToSlash(c.secret), "{{HIDDEN}}", hidden,
		"{{SAY}}", Sentence(name),
	).Replace(text)
}

// URL is the address of the server that must not be reached.
func (c *Canary) URL() string { return c.server.URL }

// Noticed returns what ran and what was reached so far.
func (c *Canary) Noticed() (noticed []string) {
	text, err := os.ReadFile(c.ran)
	if err != nil && !os.IsNotExist(err) {
		noticed = append(noticed, err.Error())
	}
	for line := range strings.Lines(string(text)) {
		noticed = append(noticed, "ran: "+strings.TrimSpace(line))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.reached {
		noticed = append(noticed, "reached: "+one)
	}
	return noticed
}
