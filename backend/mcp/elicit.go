package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/text/unicode/norm"

	"fairlead/backend/message"
)

const (
	// maxForms is how often the user is asked for one call.
	maxForms = 5
	// formTime is how long a form waits.
	formTime = 5 * time.Minute
	// maxFormText is how many bytes of what a server says in a form are shown.
	maxFormText = 2000
)

// Elicitor asks the user for what a server wants to know.
type Elicitor interface {
	// Ask shows a form, and names the server. It returns soon after ctx ends. The texts of the form
	// have their hidden characters visible.
	Ask(ctx context.Context, server, text string, fields []Field) (FormAnswer, error)
}

// FormAction is what the user does with a form.
type FormAction string

// The actions.
const (
	FormAccept  FormAction = "accept"
	FormDecline FormAction = "decline"
	FormCancel  FormAction = "cancel"
)

// FormAnswer is the answer to a form.
type FormAnswer struct {
	Action FormAction
	// Values are those of the fields, by name, of an accept: texts, numbers (float64), booleans, and
	// for a field with several choices lists of texts ([]string).
	Values map[string]any
}

// elicit answers a form that the server sends by itself. It is asked about only while one call
// runs, so that the user knows what for.
func (s *session) elicit(ctx context.Context, params *sdk.ElicitParams) *sdk.ElicitResult {
	s.mu.Lock()
	var one *call
	for _, c := range s.calls {
		one = c
	}
	alone := len(s.calls) == 1
	s.mu.Unlock()
	if !alone {
		if one != nil {
			one.note(fmt.Sprintf("the server %s asked the user something, which was declined: several calls run", s.server))
		}
		return declined()
	}
	return s.answerForm(ctx, one, params)
}

func declined() *sdk.ElicitResult { return &sdk.ElicitResult{Action: string(FormDecline)} }

// answerForm asks the user for a call. What cannot be asked is declined, and noted.
func (s *session) answerForm(ctx context.Context, c *call, params *sdk.ElicitParams) *sdk.ElicitResult {
	refuse := func(format string, values ...any) *sdk.ElicitResult {
		c.note(fmt.Sprintf("the server %s ", s.server) + fmt.Sprintf(format, values...))
		return declined()
	}
	switch {
	case params == nil:
		return refuse("asked the user something that cannot be read")
	case s.elicitor == nil:
		return refuse("asked the user something, and nobody can be asked")
	case params.Mode == "url" || params.URL != "":
		return refuse("wanted the user to open an address, which was declined")
	}
	fields, err := readFields(params.RequestedSchema)
	if err != nil {
		return refuse("asked the user something that cannot be shown: %s", err)
	}
	for _, f := range fields {
		if f.isSecret() {
			return refuse("asked for a secret (%s), which is never given to a server: save it as a variable or a header of the server", shownText(f.Name))
		}
	}
	text, _ := cutText(validText(params.Message), maxFormText)
	if asksForSecret(text) {
		return refuse("asked for a secret (%s), which is never given to a server: save it as a variable or a header of the server", shownText(text))
	}
	if !s.takeForm(c) {
		return refuse("asked the user too often, and was declined")
	}
	defer func() {
		s.mu.Lock()
		s.asking = false
		s.mu.Unlock()
	}()
	return s.ask(ctx, c, message.Visible(text), fields)
}

// takeForm reports whether the user may be asked now: for one form at a time, a few times a call.
func (s *session) takeForm(c *call) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.asking || c.forms >= maxForms {
		return false
	}
	s.asking = true
	c.forms++
	return true
}

// ask shows the form while the call runs.
func (s *session) ask(ctx context.Context, c *call, text string, fields []Field) *sdk.ElicitResult {
	ctx, cancel := context.WithTimeout(ctx, formTime)
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-c.ended:
		case <-s.ended:
		case <-stop:
		}
		cancel()
	}()
	shown := make([]Field, len(fields))
	for i := range fields {
		shown[i] = fields[i].visible()
	}
	answer, err := s.elicitor.Ask(ctx, s.server, text, shown)
	switch {
	case err != nil || answer.Action == FormCancel:
		return &sdk.ElicitResult{Action: string(FormCancel)}
	case answer.Action != FormAccept:
		return declined()
	}
	values := map[string]any{}
	for _, f := range fields {
		value, given := answer.Values[f.Name]
		switch fault := f.fault(value, given); {
		case fault != "":
			c.note(fmt.Sprintf("the answer to the form of the server %s does not fit (%s: %s), and was not sent", s.server, shownText(f.Name), fault))
			return &sdk.ElicitResult{Action: string(FormCancel)}
		case given:
			values[f.Name] = value
		}
	}
	return &sdk.ElicitResult{Action: string(FormAccept), Content: values}
}

// secretWords are in what asks for a secret, in small letters without spaces and marks between
// the words.
var secretWords = []string{
	"accesskey", "accesstoken", "apikey", "apitoken", "authtoken", "bearertoken", "clientsecret", "contraseña", "credential",
	"cvv", "kennwort", "motdepasse", "onetimecode", "otpcode", "passcode", "passphrase", "passwd", "password", "passwort",
	"pincode", "privatekey", "pwd", "recoveryphrase", "secretkey", "seedphrase", "senha", "sshkey", "пароль",
	"パスワード", "비밀번호", "口令", "密码", "密碼", "密钥", "密鑰", "令牌", "验证码", "驗證碼", "助记词",
}

// asksForSecret reports whether a text asks for a secret, as far as words tell.
func asksForSecret(text string) bool {
	plain := plainLetters(text)
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(plain, word) })
}

// plainLetters are the letters of a text, small and in one form, so that what looks the same is.
func plainLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKC.String(text))
}

// isSecret reports whether a field asks for a secret.
func (f Field) isSecret() bool {
	if f.Format == "password" {
		return true
	}
	for _, text := range []string{f.Name, f.Title, f.Description} {
		plain := plainLetters(text)
		if asksForSecret(text) || slices.Contains([]string{"key", "otp", "pin", "token"}, plain) ||
			strings.Contains(plain, "secret") || strings.Contains(plain, "token") {
			return true
		}
	}
	return false
}

// readFields reads the fields of a form from the schema that the server sends.
func readFields(schema any) ([]Field, error) {
	text, err := json.Marshal(schema)
	if err != nil || len(text) > maxSchema {
		return nil, fmt.Errorf("its form has more than %d KiB", maxSchema>>10)
	}
	return parseFields(text)
}
