package desktop

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"time"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
	"fairlead/backend/models"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

// Models is bound to the page: it finds, tests and chooses the model.
type Models struct{ window *Window }

// LocalServer is a model server that answered on this computer.
type LocalServer struct {
	Provider string `json:"provider"`
	Title    string `json:"title"`
	BaseURL  string `json:"baseUrl"`
	// Models are the first of its models.
	Models []string `json:"models"`
}

// ModelChoice is what the user typed about a model. Which fields count is said
// where it is used.
type ModelChoice struct {
	// Provider is a provider's name; empty for an address of one's own.
	Provider string `json:"provider"`
	BaseURL  string `json:"baseUrl"`
	Model    string `json:"model"`
	// Key is a new key; empty means the one that is known.
	Key string `json:"key"`
	// Keep says where a new key goes: "keyring", or "session" for no longer than
	// the program runs.
	Keep string `json:"keep"`
	// Effort is how much the model should reason, one of llm.AllEfforts; empty
	// leaves it to the settings file.
	Effort string `json:"effort"`
}

// TestedModel is what the test of a provider found.
type TestedModel struct {
	// URL is what will be called.
	URL string `json:"url"`
	// Listed says that the provider lists its models, Total how many.
	Listed bool `json:"listed"`
	Total  int  `json:"total"`
	// Known says that the model that was named is one of them.
	Known bool  `json:"known"`
	Ms    int64 `json:"ms"`
	// Ref is the address of the whole list.
	Ref string `json:"ref"`
	// KeyChecked says that the provider took the key for something that it refuses
	// without.
	KeyChecked bool `json:"keyChecked"`
	// Tools says what the model did that was named when it was told to call a tool:
	// called or ignored; empty when it was not asked, or when ToolsFault says why it
	// did not answer. ToolsMs is how long that took.
	Tools      models.ToolUse `json:"tools"`
	ToolsMs    int64          `json:"toolsMs"`
	ToolsFault *Fault         `json:"toolsFault"`
}

// Model is the model that is chosen.
type Model struct {
	Provider string `json:"provider"`
	Title    string `json:"title"`
	BaseURL  string `json:"baseUrl"`
	Model    string `json:"model"`
	// NeedsKey says that it is not used without a key.
	NeedsKey bool `json:"needsKey"`
	// KeySource is where its key comes from: environment, keyring or session. It
	// is empty when none was found, or nobody looked yet.
	KeySource secret.Source `json:"keySource"`
	// Effort is how much it should reason; empty leaves it to the settings file.
	Effort string `json:"effort"`
	// Window is how many tokens it takes at once; 0 where nobody knows, or nobody
	// looked yet.
	Window int `json:"window"`
	// Priced says that Price is known, in US dollars per million tokens.
	Priced bool          `json:"priced"`
	Price  message.Price `json:"price"`
	// Reasons says that it is known to reason before it answers.
	Reasons bool `json:"reasons"`
	// URL is where it is asked; empty for the guided tour.
	URL string `json:"url"`
	// Lessons are what refusals have taught of how it wants to be asked, the newest first.
	Lessons []LearnedLesson `json:"lessons"`
}

// LearnedLesson is what a refusal has taught.
type LearnedLesson struct {
	Name string `json:"name"`
	// LearnedAt is when, in milliseconds since 1970.
	LearnedAt int64 `json:"learnedAt"`
}

// A list that is shown is bounded in number, and in bytes of JSON, so that several of
// them together stay below maxJSON.
const (
	maxShown      = 50
	maxShownBytes = maxJSON / 4
)

// firstShown returns the first entries of a list, as many as are shown.
func firstShown[T string | LearnedLesson](all []T) []T {
	first, size := []T{}, 0
	for _, each := range all[:min(len(all), maxShown)] {
		text, _ := json.Marshal(each) // these always encode
		if size += len(text) + 1; size > maxShownBytes {
			break
		}
		first = append(first, each)
	}
	return first
}

// Detect looks for model servers on this computer.
func (m *Models) Detect() ([]LocalServer, error) {
	return Guard(m.window, func() ([]LocalServer, error) {
		ctx, stop := context.WithTimeout(m.window.ctx, detectTime)
		defer stop()
		servers := []LocalServer{}
		for _, local := range models.FindLocal(ctx) {
			servers = append(servers, LocalServer{
				local.Provider.Name, local.Provider.Title, local.Provider.BaseURL, firstShown(local.Models),
			})
		}
		return servers, nil
	})
}

const (
	// detectTime bounds the search for servers on this computer.
	detectTime = 3 * time.Second
	// testTime bounds the test of a provider and a model, the look for the key
	// included.
	testTime = 50 * time.Second
)

// Test asks the provider for its models, and the one that is named to call a tool,
// with the key that is typed or known. Nothing is kept but the list.
func (m *Models) Test(choice ModelChoice) (TestedModel, error) {
	return Guard(m.window, func() (TestedModel, error) { return m.window.testModel(choice) })
}

// Use chooses a model and keeps a new key where the user wants it.
func (m *Models) Use(choice ModelChoice) (Model, error) {
	return Guard(m.window, func() (Model, error) { return m.window.useModel(choice) })
}

// CheckKey refuses a model that needs a key of which none is known. Nothing is chosen.
func (m *Models) CheckKey(model SavedModel) (None, error) {
	return Guard(m.window, func() (None, error) {
		endpoint, err := m.window.locateModel(model.asTyped())
		if err != nil {
			return None{}, err
		}
		return None{}, m.window.backend.Models.CheckKey(m.window.ctx, endpoint)
	})
}

// ForgetKey removes the key that Use kept for a provider and an address.
func (m *Models) ForgetKey(choice ModelChoice) (None, error) {
	return Guard(m.window, func() (None, error) {
		endpoint, err := m.window.locateModel(choice)
		if err != nil {
			return None{}, err
		}
		if err := m.window.backend.Models.ForgetKey(m.window.ctx, endpoint); err != nil {
			return None{}, err
		}
		m.window.findKey()
		return None{}, nil
	})
}

// ForgetLessons forgets what refusals have taught of a model.
func (m *Models) ForgetLessons(choice ModelChoice) (None, error) {
	return Guard(m.window, func() (None, error) {
		endpoint, err := m.window.locateModel(choice)
		if err != nil {
			return None{}, err
		}
		if err := m.window.backend.Models.ForgetLessons(endpoint); err != nil {
			return None{}, err
		}
		m.window.stateChanged()
		return None{}, nil
	})
}

func (w *Window) testModel(choice ModelChoice) (TestedModel, error) {
	ctx, stop := context.WithTimeout(w.ctx, testTime)
	defer stop()
	endpoint, err := w.locateModel(choice)
	if err != nil {
		return TestedModel{}, err
	}
	key, err := w.typedKey(choice)
	if err != nil {
		return TestedModel{}, err
	}
	tested, err := w.backend.Models.Test(ctx, endpoint, key)
	if err != nil {
		return TestedModel{}, err
	}
	w.chosen.noteListed(tested.Models)
	found := TestedModel{
		URL: tested.URL, Listed: tested.Listed, Total: len(tested.Models), Ms: tested.Elapsed.Milliseconds(), Ref: routes + "models",
		KeyChecked: tested.KeyChecked,
	}
	for _, model := range tested.Models {
		found.Known = found.Known || model == choice.Model
	}
	found.Tools, found.ToolsMs = tested.Tools, tested.ProbeElapsed.Milliseconds()
	if tested.ProbeErr != nil {
		fault := w.faultWithoutKeys(tested.ProbeErr).cutTexts()
		found.ToolsFault = &fault
	}
	return found, nil
}

func (w *Window) useModel(choice ModelChoice) (Model, error) {
	if choice.Provider == catalog.Demo {
		return Model{}, &Fault{Code: CodeUsage, Message: "the guided tour is no model", Hint: "start it with its own button"}
	}
	endpoint, err := w.locateModel(choice)
	if err != nil {
		return Model{}, err
	}
	if endpoint.Model == "" {
		return Model{}, &Fault{Code: CodeUsage, Message: "no model is named", Hint: "choose one of the list or type its name"}
	}
	// A key is not kept for a model that is refused, and nothing waits while the
	// user is asked to unlock the keyring.
	if err := w.checkIdle(); err != nil {
		return Model{}, err
	}
	if choice.Key != "" {
		if err := endpoint.CheckKey(); err != nil {
			return Model{}, err
		}
	}
	if err := w.agreeAddress(endpoint.BaseURL); err != nil {
		return Model{}, err
	}
	if err := w.keepKey(choice, endpoint); err != nil {
		return Model{}, err
	}
	if err := w.switchModel(endpoint); err != nil {
		return Model{}, err
	}
	w.findKey()
	return *w.describeModel(), nil
}

// findKey looks where the chosen model's key is and what is known of it, and tells the
// page. When another model was chosen meanwhile, that choice looks for its key.
func (w *Window) findKey() {
	tour := w.folder.currentView().tour
	endpoint, err := w.remembered.chosenEndpoint(tour)
	if err != nil || tour {
		return
	}
	// Without a key the source is empty, whatever the reason: a run says it.
	_, source, _ := w.backend.Models.FindKey(w.ctx, endpoint, secret.Background)
	facts := w.backend.Models.Facts(endpoint)
	if now, err := w.remembered.chosenEndpoint(tour); err == nil && now.Same(endpoint) {
		w.chosen.noteFacts(endpoint, source, facts)
	}
	w.stateChanged()
}

// locateModel finds the address of a choice, whatever its key and model.
func (w *Window) locateModel(choice ModelChoice) (catalog.Endpoint, error) {
	if choice.Effort != "" {
		if err := settings.Check("reasoning_effort", choice.Effort); err != nil {
			return catalog.Endpoint{}, &Fault{Code: CodeUsage, Message: "how much the model should reason " + err.Error()}
		}
	}
	return w.remembered.catalog().Locate(catalog.Choice{
		Provider: choice.Provider, BaseURL: strings.TrimSpace(choice.BaseURL), Model: choice.Model, Effort: choice.Effort,
	}, os.Getenv)
}

// switchModel makes a model the chosen one and gives it to the open conversations:
// their next runs ask it, and it reads what was said so far. The guided tour ends: its
// conversation is a script that no model should read, in a folder that nobody chose.
func (w *Window) switchModel(endpoint catalog.Endpoint) error {
	if err := w.conversations.beginCall(); err != nil {
		return err
	}
	defer w.conversations.endCall()
	if err := w.conversations.checkTour(); err != nil {
		return err
	}
	given := map[*conversation]bool{}
	for _, c := range w.conversations.listOpen() {
		if given[c] = true; !c.saved {
			continue
		}
		if err := w.backend.UseModel(c.Conversation, endpoint); err != nil {
			return err
		}
	}
	if err := w.leaveTour(); err != nil {
		w.log.Warn("leave the guided tour", "error", err)
	}
	w.chosen.noteFacts(catalog.Endpoint{}, "", catalog.Facts{})
	w.remembered.saveChange(func(s *settings.State) {
		s.Used(settings.ModelChoice{
			Provider: endpoint.Provider.Name, BaseURL: endpoint.BaseURL, Model: endpoint.Model, Effort: string(endpoint.Effort),
		})
	})
	// One that is opened from now on finds the new model, or sees that it has changed.
	for _, c := range w.conversations.listOpen() {
		if !given[c] {
			w.giveModel(c, endpoint)
		}
	}
	return nil
}

// giveModel gives a model to a conversation that was opened while it was chosen.
func (w *Window) giveModel(c *conversation, endpoint catalog.Endpoint) {
	if !c.saved {
		return
	}
	if err := w.backend.UseModel(c.Conversation, endpoint); err != nil {
		w.log.Warn("give a conversation its model", "session", c.ID, "error", err)
	}
}

// typedKey is the key that the user typed, the zero key when none was.
func (w *Window) typedKey(choice ModelChoice) (secret.Key, error) {
	if strings.TrimSpace(choice.Key) == "" {
		return secret.Key{}, nil
	}
	key, err := secret.ParseKey(choice.Key)
	if err != nil {
		return secret.Key{}, &Fault{Code: CodeUsage, Message: err.Error(), Hint: "copy the key again"}
	}
	w.backend.Redactor.Add(key.Reveal())
	return key, nil
}

// keepKey keeps a typed key where the user wants it.
func (w *Window) keepKey(choice ModelChoice, endpoint catalog.Endpoint) error {
	key, err := w.typedKey(choice)
	if err != nil || key.Reveal() == "" {
		return err
	}
	if choice.Keep == "session" {
		return w.backend.Models.HoldKey(endpoint, key)
	}
	return w.backend.Models.SaveKey(w.ctx, endpoint, key)
}

// describeModel describes the chosen model; nil when none is.
func (w *Window) describeModel() *Model {
	tour := w.folder.currentView().tour
	endpoint, err := w.remembered.chosenEndpoint(tour)
	if err != nil {
		return nil
	}
	model := &Model{
		Provider: endpoint.Provider.Name, Title: endpoint.Provider.Title, BaseURL: endpoint.BaseURL, Model: endpoint.Model,
		NeedsKey: endpoint.KeyRequired, Effort: string(endpoint.Effort), Lessons: []LearnedLesson{},
	}
	if tour {
		return model
	}
	source, facts := w.chosen.factsOf(endpoint)
	model.KeySource, model.Window, model.Reasons = source, facts.Window, facts.Reasons
	// A run may have taught something since.
	model.URL = w.backend.Models.URL(endpoint)
	for _, lesson := range w.backend.Models.Lessons(endpoint) {
		model.Lessons = append(model.Lessons, LearnedLesson{lesson.Name, lesson.Learned.UnixMilli()})
	}
	model.Lessons = firstShown(model.Lessons)
	if price := facts.Price; price != nil {
		model.Priced, model.Price = true, *price
	}
	return model
}
