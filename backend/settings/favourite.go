package settings

import "slices"

// maxFavourites is how many models are kept at hand, and maxRecentModels how many of those used
// last are remembered.
const maxFavourites, maxRecentModels = 20, 8

// Used notes that a model is the one in use, with how much it should reason: the first of the
// recent ones. Where it is a favourite, that is kept with the effort, too.
func (s *State) Used(choice ModelChoice) {
	s.Model = choice
	s.RecentModels = slices.Insert(without(s.RecentModels, choice), 0, choice)
	s.RecentModels = s.RecentModels[:min(len(s.RecentModels), maxRecentModels)]
	s.Favourites = slices.Clone(s.Favourites)
	for i, favourite := range s.Favourites {
		if favourite.isSame(choice) {
			s.Favourites[i].Effort = choice.Effort
		}
	}
}

// Favour keeps a model at hand, with how much it should reason: the first of all.
// Beyond 20 the oldest is forgotten.
func (s *State) Favour(choice ModelChoice) {
	s.Unfavour(choice)
	s.Favourites = slices.Insert(s.Favourites, 0, choice)
	s.Favourites = s.Favourites[:min(len(s.Favourites), maxFavourites)]
}

// Unfavour keeps a model at hand no longer.
func (s *State) Unfavour(choice ModelChoice) {
	s.Favourites = without(s.Favourites, choice)
}

// without returns the others, however much the model should reason.
func without(models []ModelChoice, choice ModelChoice) []ModelChoice {
	return slices.DeleteFunc(slices.Clone(models), choice.isSame)
}

// isSame reports whether both are one model at one place, however much it should reason.
func (m ModelChoice) isSame(other ModelChoice) bool {
	return m.Provider == other.Provider && m.BaseURL == other.BaseURL && m.Model == other.Model
}
