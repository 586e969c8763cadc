package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Mode is how a Family answers.
type Mode string

// The modes. A request with a fault, a wrong key or an unknown model is refused in
// each of them.
const (
	// Well answers: a call of a tool on offer first, text once it has its result.
	Well Mode = "well"
	// WrongKey refuses every key.
	WrongKey Mode = "key"
	// QuotaUsed has no credit or allowance left.
	QuotaUsed Mode = "quota"
	// Overflow finds every conversation too long.
	Overflow Mode = "overflow"
	// Busy asks to come back later.
	Busy Mode = "busy"
	// UnknownModel knows no model.
	UnknownModel Mode = "model"
)

// Family is a provider of models that answers as its documentation says: its list of
// models, the form of its streams, its refusals to the word that programs read. It
// is as strict about requests as that provider, beyond what Check says. It is safe
// for use by several clients at once.
type Family struct {
	// Key is the API key that requests must carry; any will do when it is empty. Set
	// it before the first request.
	Key string
	// Calls is how many calls a reply with calls has; 0 means one. Set it before the
	// first request.
	Calls int

	name    string
	profile profile
	// sent keeps the requests and their faults.
	sent Server

	mu   sync.Mutex
	mode Mode
}

// Families returns the names that NewFamily takes, in the order in which they are
// shown.
func Families() []string {
	names := make([]string, len(profiles))
	for i, p := range profiles {
		names[i] = p.name
	}
	return names
}

// NewFamily returns the family of that name, which answers Well. The error of an
// unknown name lists those there are.
func NewFamily(name string) (*Family, error) {
	for _, p := range profiles {
		if p.name == name {
			return &Family{name: name, profile: p.make(), mode: Well}, nil
		}
	}
	return nil, fmt.Errorf("unknown family %q; give one of %s", name, strings.Join(Families(), ", "))
}

// Models returns the names of the family's models as chat requests give them.
func (f *Family) Models() []string { return slices.Clone(f.profile.models) }

// Base is the path, without a slash at its end, below which the provider serves its
// list and its replies. The family serves them below /v1 too.
func (f *Family) Base() string { return f.profile.base }

// Modes returns the modes that the family has: a server on one's own computer has no
// quota.
func (f *Family) Modes() []Mode {
	modes := []Mode{Well}
	for _, mode := range []Mode{WrongKey, QuotaUsed, Overflow, Busy, UnknownModel} {
		if _, ok := f.profile.refusals[mode]; ok {
			modes = append(modes, mode)
		}
	}
	return modes
}

// SetMode decides how requests are answered from now on. The error of a mode that
// the family does not have lists those it has.
func (f *Family) SetMode(mode Mode) error {
	if modes := f.Modes(); !slices.Contains(modes, mode) {
		return fmt.Errorf("%s has no mode %q; give one of %v", f.name, mode, modes)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.mode = mode
	return nil
}

func (f *Family) currentMode() Mode {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mode
}

// Requests returns the chat requests so far, refused ones too.
func (f *Family) Requests() []Request { return f.sent.Requests() }

// Faults returns what was wrong with the requests so far, one line each.
func (f *Family) Faults() []string { return f.sent.Faults() }

// RoundTripper returns a transport like that of a Server.
func (f *Family) RoundTripper() http.RoundTripper { return memory{handler: f} }

// ServeHTTP answers the chat requests, and those for the list of models.
func (f *Family) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet && f.isAt(r, "/models") && f.profile.list != nil:
		f.list(w, r)
	case r.Method == http.MethodPost && f.isAt(r, "/chat/completions"):
		f.serveChat(w, r)
	default:
		f.profile.refuse(http.StatusNotFound, "Not Found").write(w, "")
	}
}

func (f *Family) isAt(r *http.Request, path string) bool {
	return r.URL.Path == f.profile.base+path || r.URL.Path == "/v1"+path
}

func (f *Family) list(w http.ResponseWriter, r *http.Request) {
	mode := f.currentMode()
	if f.profile.admit != nil {
		if refused := f.profile.admit(r, f.Key, mode); refused != nil {
			refused.write(w, "")
			return
		}
	} else if mode == WrongKey || !f.isAuthorized(r) {
		f.profile.refusals[WrongKey].write(w, "")
		return
	}
	writeJSON(w, http.StatusOK, f.profile.list(f.profile.models))
}

func (f *Family) isAuthorized(r *http.Request) bool {
	return f.Key == "" || r.Header.Get("Authorization") == "Bearer "+f.Key
}

func (f *Family) serveChat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		f.profile.refuse(http.StatusBadRequest, err.Error()).write(w, "")
		return
	}
	request := f.sent.newRequest(r, body)
	request.Authorized = f.isAuthorized(r)
	faults := f.findFaults(body)
	said := make([]string, len(faults))
	for i, fault := range faults {
		said[i] = fault.message
	}
	f.sent.keepRequest(request, said)
	model := request.Chat.Model
	mode := f.currentMode()
	switch {
	case !request.Authorized:
		mode = WrongKey
	case mode == Well && len(faults) > 0:
		f.profile.refuse(faults[0].status, faults[0].message).write(w, model)
		return
	case mode == Well && !f.knowsModel(model):
		mode = UnknownModel
	}
	if mode != Well {
		f.profile.refusals[mode].write(w, model)
		return
	}
	f.streamAnswer(w, request)
}

// knowsModel says that a chat request may name this model.
func (f *Family) knowsModel(model string) bool {
	_, picky := f.profile.refusals[UnknownModel]
	return !picky || slices.Contains(f.profile.models, strings.TrimPrefix(model, f.profile.prefix))
}

// findFaults is what the provider would refuse about a request.
func (f *Family) findFaults(body []byte) []fault {
	var faults []fault
	for _, message := range Check(body) {
		faults = append(faults, fault{http.StatusBadRequest, message})
	}
	var s sent
	if err := errors.Join(json.Unmarshal(body, &s.chat), json.Unmarshal(body, &s.fields)); err != nil {
		return faults // Check has said so
	}
	s.messages = fieldsOf(s.fields["messages"])
	if f.profile.strict != nil {
		faults = append(faults, f.profile.strict(&s)...)
	}
	return faults
}
