package protocol

import (
	"crypto/sha256"
	"encoding/base32"
	"regexp"
	"strings"
	"sync"

	"fairlead/backend/llm"
)

var (
	plainID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9_-]{1,40}$`) })
	nineID  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9]{9}$`) })
)

// CallID makes an id fit for an endpoint. The same id always becomes the same one,
// in the call and in its result, and two become the same by no accident that
// happens: there are at least 45 bits between them.
func CallID(form llm.CallIDs, id string) string {
	switch {
	case form == llm.PlainID && !plainID().MatchString(id):
		return "call_" + shortID(id, 24)
	case form == llm.NineID && !nineID().MatchString(id):
		return shortID(id, 9)
	}
	return id
}

// shortID is a text of letters and digits that stands for id.
func shortID(id string, length int) string {
	sum := sha256.Sum256([]byte(id))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:length])
}
