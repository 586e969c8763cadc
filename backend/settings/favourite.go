package settings

import "slices"

// maxFavourites is how many models are kept at hand.
const maxFavourites = 20

// Favour keeps a model at hand, with how much it should reason: the first of all.
// Beyond 20 the oldest is forgotten.
func (s *State) Favour(choice ModelChoice) {
	s.Unfavour(choice)
	s.Favourites = slices.Insert(s.Favourites, 0, choice)
	s.Favourites = s.Favourites[:min(len(s.Favourites), maxFavourites)]
}

// Unfavour keeps a model at hand no longer.
func (s *State) Unfavour(choice ModelChoice) {
	s.Favourites = slices.DeleteFunc(slices.Clone(s.Favourites), func(old ModelChoice) bool {
		return old.Provider == choice.Provider && old.BaseURL == choice.BaseURL && old.Model == choice.Model
	})
}
