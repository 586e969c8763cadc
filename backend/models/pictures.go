package models

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// The names of what a model's provider has said about pictures.
const (
	seesPictures   = "sees_pictures"
	seesNoPictures = "sees_no_pictures"
	// mostPictures begins the name that ends with how many pictures a request may have.
	mostPictures = "most_pictures "
)

// unasked is how many pictures a request may have where nobody has asked that yet.
const unasked = -1

// seeingModel is a model that is sent pictures only where it sees them, and no more than it
// takes at once. It is asked with a picture of one pixel before it is sent the first one; the
// answer is remembered as a lesson is.
type seeingModel struct {
	llm.Model
	remember func(lesson string)

	// asking is held while the model is asked.
	asking sync.Mutex

	mu sync.Mutex
	// most is how many pictures a request may have.
	most int
}

// newSeeingModel returns a model of which lessons are known already.
func newSeeingModel(model llm.Model, lessons []string, remember func(lesson string)) *seeingModel {
	m := &seeingModel{Model: model, remember: remember, most: unasked}
	for _, lesson := range lessons {
		number, isMost := strings.CutPrefix(lesson, mostPictures)
		switch n, err := strconv.Atoi(number); {
		case lesson == seesPictures:
			m.most = math.MaxInt
		case lesson == seesNoPictures:
			m.most = 0
		case isMost && err == nil && n > 0:
			m.most = n
		}
	}
	return m
}

// Stream implements llm.Model.
func (m *seeingModel) Stream(ctx context.Context, req llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	count := 0
	for i := range req.Messages {
		for j := range req.Messages[i].Parts {
			count += len(req.Messages[i].Parts[j].Pictures())
		}
	}
	if count == 0 {
		return m.Model.Stream(ctx, req, receive)
	}
	for {
		most, err := m.mostPictures(ctx)
		if err != nil {
			return llm.Reply{}, err
		}
		sent := req
		if most < count {
			sent.Messages = newestPictures(req.Messages, most)
			receive(llm.Delta{Kind: llm.RequestWeakened, Weakened: message.Weakened{What: message.WeakPictures, Sent: strconv.Itoa(most)}})
		}
		reply, err := m.Model.Stream(ctx, sent, receive)
		if err == nil || !m.learnMost(err, min(most, count)) {
			return reply, err
		}
	}
}

// Sees reports whether the model sees pictures. It is asked where that is not known; the
// error is that of the request then.
func (m *seeingModel) Sees(ctx context.Context) (bool, error) {
	most, err := m.mostPictures(ctx)
	return most > 0, err
}

// mostPictures is how many pictures a request may have.
func (m *seeingModel) mostPictures(ctx context.Context) (int, error) {
	if most := m.known(); most != unasked {
		return most, nil
	}
	m.asking.Lock()
	defer m.asking.Unlock()
	if most := m.known(); most != unasked {
		return most, nil
	}
	// Some providers refuse pictures that are too small for a model that sees.
	err := m.show(ctx, 1)
	if refusesSize(err) {
		err = m.show(ctx, 64)
	}
	switch {
	case err == nil:
		m.learn(math.MaxInt, seesPictures)
	case refusesPictures(err):
		m.learn(0, seesNoPictures)
	default:
		return 0, err
	}
	return m.known(), nil
}

func (m *seeingModel) known() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.most
}

func (m *seeingModel) learn(most int, lesson string) {
	m.mu.Lock()
	m.most = most
	m.mu.Unlock()
	m.remember(lesson)
}

// show sends the model a white picture of so many pixels each way.
func (m *seeingModel) show(ctx context.Context, edge int) error {
	white := image.NewPaletted(image.Rect(0, 0, edge, edge), color.Palette{color.White})
	var file bytes.Buffer
	if err := png.Encode(&file, white); err != nil {
		return err
	}
	said := message.Message{Role: message.User, Parts: []message.Part{
		{Type: message.TextPart, Text: "Which colour is this picture? Answer with one word."},
		{Type: message.ImagePart, Block: &message.Block{Type: message.ImageBlock, Name: "white.png", MediaType: "image/png", Data: file.Bytes()}},
	}}
	_, err := m.Model.Stream(ctx, llm.Request{System: "You test whether pictures can be seen.", Messages: []message.Message{said}}, func(llm.Delta) {})
	return err
}

// newestPictures are messages with marks in place of all pictures but the newest ones.
func newestPictures(messages []message.Message, most int) []message.Message {
	messages = slices.Clone(messages)
	for i := range slices.Backward(messages) {
		messages[i].Parts = slices.Clone(messages[i].Parts)
		for j, part := range slices.Backward(messages[i].Parts) {
			left := len(part.Pictures()) - most
			most = max(-left, 0)
			messages[i].Parts[j], _ = part.MapPictures(func(b message.Block) (message.Block, error) { // which never fails
				if left--; left >= 0 {
					b = b.WithoutData()
				}
				return b, nil
			})
		}
	}
	return messages
}

// about are words of refusals of pictures, in lower case, as providers and servers word them:
// "invalid content type. image_url is only supported by certain models", "unknown variant
// `image_url`, expected `text`", "content must be a string", "is not a multimodal model", "you
// may need to provide the mmproj", "no endpoints found that support image input".
var about = []string{"image", "picture", "vision", "visual", "modal", "mmproj"}

// refusesPictures reports whether a model was refused the picture, and not the request.
func refusesPictures(err error) bool {
	failure, ok := errors.AsType[*llm.Error](err)
	if !ok || failure.Status < 400 {
		return false
	}
	switch failure.Class {
	case llm.BadRequest:
		return mentions(failure, about) || mentions(failure, []string{"content"})
	case llm.ModelNotFound, llm.Server, llm.Overloaded:
		return mentions(failure, about)
	}
	return false
}

// refusesSize reports whether the picture was refused because it is small.
func refusesSize(err error) bool {
	failure, ok := errors.AsType[*llm.Error](err)
	return ok && failure.Status >= 400 && mentions(failure, []string{"small", "width", "height", "dimension", "pixel", "size", "resolution"})
}

func mentions(failure *llm.Error, words []string) bool {
	said := strings.ToLower(failure.Message)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(said, word) })
}

// limits are how a refusal says how many pictures a request may have: "At most 1 image(s) may be
// provided in one request" (vLLM), "This model supports up to 5 images" (Groq), "Too many images
// in request: 9. Max is 8" (Mistral).
var limits = regexp.MustCompile(`(?:at most|up to|max(?:imum)?(?: number)?(?: of)?(?: is)?) (\d+)`)

// learnMost reports whether a request with so many pictures was refused because of their number,
// and is to be sent with fewer.
func (m *seeingModel) learnMost(err error, sent int) bool {
	failure, ok := errors.AsType[*llm.Error](err)
	if !ok || failure.Class != llm.BadRequest && failure.Class != llm.ModelNotFound || !mentions(failure, []string{"image", "picture"}) {
		return false
	}
	found := limits.FindStringSubmatch(strings.ToLower(failure.Message))
	if found == nil {
		return false
	}
	most, err := strconv.Atoi(found[1])
	if err != nil || most < 1 || most >= sent {
		return false
	}
	m.learn(most, mostPictures+strconv.Itoa(most))
	return true
}
