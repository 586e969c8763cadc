package message

// Price is what the tokens of a model cost, in US dollars per million tokens.
type Price struct {
	// Prompt is for what is sent, Completion for what is generated, reasoning
	// included.
	Prompt     float64 `json:"prompt"`
	Completion float64 `json:"completion"`
	// Cached is for the part of what is sent that the provider had in its cache.
	Cached float64 `json:"cached"`
}

// Cost returns what so many tokens cost, in US dollars.
func (p Price) Cost(u Usage) float64 {
	cached := min(max(u.Cached, 0), u.Prompt) // no more can be cached than was sent
	dollars := float64(u.Prompt-cached)*p.Prompt + float64(cached)*p.Cached + float64(u.Completion)*p.Completion
	return dollars / 1e6
}
