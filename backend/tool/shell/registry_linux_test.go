package shell_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
)

// serveRegistry serves an npm registry that has the package leaf alone, on the
// loopback, and returns its address.
func serveRegistry(t *testing.T) string {
	t.Helper()
	archive := leaf(t)
	sum := sha512.Sum512(archive)
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	description, err := json.Marshal(map[string]any{
		"name": "leaf", "dist-tags": map[string]string{"latest": "1.0.0"},
		"versions": map[string]any{"1.0.0": map[string]any{
			"name": "leaf", "version": "1.0.0",
			"dist": map[string]string{
				"tarball":   server.URL + "/leaf/-/leaf-1.0.0.tgz",
				"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
			},
		}},
	})
	must(t, err)
	mux.HandleFunc("GET /leaf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(description)
	})
	mux.HandleFunc("GET /leaf/-/leaf-1.0.0.tgz", func(w http.ResponseWriter, _ *http.Request) { w.Write(archive) })
	return server.URL
}

// leaf is the package, as npm packs one.
func leaf(t *testing.T) []byte {
	t.Helper()
	var packed bytes.Buffer
	compressed := gzip.NewWriter(&packed)
	archive := tar.NewWriter(compressed)
	for name, text := range map[string]string{
		"package/package.json": `{"name": "leaf", "version": "1.0.0"}`,
		"package/index.js":     "module.exports = 'green';\n",
	} {
		must(t, archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}))
		_, err := archive.Write([]byte(text))
		must(t, err)
	}
	must(t, archive.Close())
	must(t, compressed.Close())
	return packed.Bytes()
}
