package extract

import (
	"net/url"
	"strings"
)

// maxAddress is how many bytes the address of a link has at most.
const maxAddress = 2000

// linked is a text that leads to an address, in Markdown. One that leads nowhere outside the document, or
// is the address itself, is only a text.
func linked(text, address string) string {
	address = strings.TrimSpace(address)
	at, err := url.Parse(address)
	label := strings.TrimSpace(text)
	if err != nil || label == "" || len(address) > maxAddress || bareAddress(label) == bareAddress(address) {
		return text
	}
	switch at.Scheme {
	case "http", "https", "mailto":
		return "[" + text + "](" + addressEscapes.Replace(address) + ")"
	}
	return text
}

// addressEscapes are what would end the address of a link in Markdown.
var addressEscapes = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "\n", "")

// bareAddress is an address as people write it.
func bareAddress(address string) string {
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		address = strings.TrimPrefix(address, scheme)
	}
	return strings.TrimSuffix(address, "/")
}
