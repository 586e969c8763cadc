package desktop

import "fairlead/backend/settings"

// SavedModel is a model that the user wants at hand.
type SavedModel struct {
	Provider string `json:"provider"`
	// Title is the provider's.
	Title   string `json:"title"`
	BaseURL string `json:"baseUrl"`
	Model   string `json:"model"`
	Effort  string `json:"effort"`
}

// Favour keeps a model at hand.
func (m *Models) Favour(model SavedModel) (None, error) {
	return m.changeFavourites(func(s *settings.State) { s.Favour(model.asChoice()) })
}

// Unfavour keeps a model at hand no longer.
func (m *Models) Unfavour(model SavedModel) (None, error) {
	return m.changeFavourites(func(s *settings.State) { s.Unfavour(model.asChoice()) })
}

func (s SavedModel) asChoice() settings.ModelChoice {
	return settings.ModelChoice{Provider: s.Provider, BaseURL: s.BaseURL, Model: s.Model, Effort: s.Effort}
}

// asTyped is the model as a choice of the user's, without a key.
func (s SavedModel) asTyped() ModelChoice {
	return ModelChoice{Provider: s.Provider, BaseURL: s.BaseURL, Model: s.Model, Effort: s.Effort}
}

func (m *Models) changeFavourites(change func(*settings.State)) (None, error) {
	return Guard(m.window, func() (None, error) {
		m.window.remembered.saveChange(change)
		m.window.stateChanged()
		return None{}, nil
	})
}

// showModels returns models as the page shows them.
func (w *Window) showModels(choices []settings.ModelChoice) []SavedModel {
	models := []SavedModel{}
	providers := w.remembered.catalog().Providers()
	for _, choice := range choices {
		title := choice.Provider
		for _, p := range providers {
			if p.Name == choice.Provider {
				title = p.Title
			}
		}
		models = append(models, SavedModel{
			Provider: choice.Provider, Title: title, BaseURL: choice.BaseURL, Model: choice.Model, Effort: choice.Effort,
		})
	}
	return models
}
