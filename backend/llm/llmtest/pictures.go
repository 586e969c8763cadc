package llmtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/gif" // the formats that are sent
	_ "image/jpeg"
	_ "image/png"
	"strings"
)

// maxPicture is how many bytes a picture may have in base64: the least that a provider named in
// its documentation takes, which is Anthropic's 5 MB.
const maxPicture = 5 << 20

// Picture is a picture in a request.
type Picture struct {
	MediaType string
	Data      []byte
}

// Pictures returns the pictures of the request, over whichever protocol it came.
func (r Request) Pictures() []Picture {
	var body any
	if json.Unmarshal(r.Body, &body) != nil {
		return nil
	}
	return picturesIn(body)
}

func picturesIn(value any) (found []Picture) {
	switch v := value.(type) {
	case string:
		if kind, data, ok := cutDataURL(v); ok {
			found = append(found, newPicture(kind, data))
		}
	case []any:
		for _, each := range v {
			found = append(found, picturesIn(each)...)
		}
	case map[string]any:
		kind, isPicture := v["media_type"].(string)
		if data, ok := v["data"].(string); ok && isPicture {
			return []Picture{newPicture(kind, data)}
		}
		for _, name := range []string{"messages", "input", "content", "image_url", "url", "output", "source"} {
			found = append(found, picturesIn(v[name])...)
		}
	}
	return found
}

func newPicture(kind, data string) Picture {
	decoded, _ := base64.StdEncoding.DecodeString(data) // the check of the request reports it
	return Picture{kind, decoded}
}

// cutDataURL takes a picture out of an address.
func cutDataURL(address string) (kind, data string, ok bool) {
	rest, ok := strings.CutPrefix(address, "data:")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, ";base64,")
}

// checkPicture checks a picture that a request has at a place.
func (c *checker) checkPicture(where, kind, data string) {
	decoded, err := base64.StdEncoding.DecodeString(data)
	_, format, undecoded := image.DecodeConfig(bytes.NewReader(decoded))
	switch {
	case err != nil:
		c.addFault("%s: Could not decode base64 image", where)
	case len(data) > maxPicture:
		c.addFault("%s: image exceeds 5 MB maximum: %d bytes", where, len(data))
	case undecoded != nil || kind != "image/"+format:
		c.addFault("%s: The image was specified using the %s media type, but the image appears to be %q", where, kind, format)
	}
}

// checkDataURL checks a picture in an address.
func (c *checker) checkDataURL(where, address string) {
	kind, data, ok := cutDataURL(address)
	if !ok {
		c.addFault("%s: Invalid image_url %.20q", where, address)
		return
	}
	c.checkPicture(where, kind, data)
}

// checkParts checks the content of messages that comes in parts.
func (c *checker) checkParts(body []byte) {
	var chat struct {
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if json.Unmarshal(body, &chat) != nil {
		return
	}
	for i, m := range chat.Messages {
		if m.Role == "assistant" || !bytes.HasPrefix(m.Content, []byte("[")) {
			continue
		}
		var parts []struct {
			Type     string `json:"type"`
			Text     string `json:"text"`
			ImageURL struct {
				URL string `json:"url"`
			} `json:"image_url"`
		}
		_ = json.Unmarshal(m.Content, &parts) // reading the messages reports it
		for j, part := range parts {
			where := fmt.Sprintf("message %d, part %d", i, j)
			switch {
			case part.Type == "text" && strings.TrimSpace(part.Text) != "":
			case part.Type == "image_url" && m.Role == "user":
				c.checkDataURL(where, part.ImageURL.URL)
			default:
				c.addFault("%s: a %s message with %q", where, m.Role, part.Type)
			}
		}
	}
}
