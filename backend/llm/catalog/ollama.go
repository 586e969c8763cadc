package catalog

import (
	"net"
	"net/url"
	"strconv"
	"strings"
)

// ollamaVariable is where Ollama itself reads its address from, as
// [http[s]://]host[:port].
const ollamaVariable = "OLLAMA_HOST"

// ollamaURL returns the base URL of the Ollama on this computer: the one that
// host, the value of OLLAMA_HOST, names, or usual where it names none or another
// computer. A server that listens on every address is reached by loopback.
func ollamaURL(usual, host string) string {
	host = strings.Trim(strings.TrimSpace(host), `"'`)
	if host == "" {
		return usual
	}
	if !strings.Contains(host, "://") {
		host = ollamaDefaults(host)
	}
	address, err := url.Parse(host)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" {
		return usual
	}
	name, ip := address.Hostname(), net.ParseIP(address.Hostname())
	if name == "" || ip.IsUnspecified() {
		name = "127.0.0.1"
	}
	if !isLoopback(name) {
		return usual
	}
	at := url.URL{Scheme: address.Scheme, Host: name, Path: strings.TrimRight(address.Path, "/") + "/v1"}
	if port := address.Port(); port != "" {
		at.Host = net.JoinHostPort(name, port)
	} else if strings.Contains(name, ":") {
		at.Host = "[" + name + "]"
	}
	return at.String()
}

// ollamaDefaults completes an address without a scheme as Ollama does: by http,
// and by its own port where there is none.
func ollamaDefaults(host string) string {
	host, path, _ := strings.Cut(host, "/")
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.Trim(host, "[]"), ""
	}
	if number, err := strconv.ParseUint(port, 10, 16); err != nil || number == 0 {
		port = "11434"
	}
	return "http://" + net.JoinHostPort(name, port) + "/" + path
}
