package llm

import (
	"slices"
	"strings"
)

// Effort is how much a model should reason; empty leaves it to the model.
type Effort string

// The efforts, least first. Where there is a switch only, every effort but EffortOff turns
// it on.
const (
	EffortOff     Effort = "off"
	EffortMinimal Effort = "minimal"
	EffortLow     Effort = "low"
	EffortMedium  Effort = "medium"
	EffortHigh    Effort = "high"
	EffortXHigh   Effort = "xhigh"
	EffortMax     Effort = "max"
)

var ladder = []Effort{EffortOff, EffortMinimal, EffortLow, EffortMedium, EffortHigh, EffortXHigh, EffortMax}

// AllEfforts returns the efforts there are, least first.
func AllEfforts() []Effort { return slices.Clone(ladder) }

// Efforts is a set of efforts.
type Efforts uint8

// EffortSet returns the set of these efforts.
func EffortSet(efforts ...Effort) Efforts {
	var set Efforts
	for _, effort := range efforts {
		if i := slices.Index(ladder, effort); i >= 0 {
			set |= 1 << i
		}
	}
	return set
}

// Has reports whether an effort is in the set.
func (s Efforts) Has(effort Effort) bool { return s&EffortSet(effort) != 0 }

// List returns the efforts of the set, least first.
func (s Efforts) List() []Effort {
	var all []Effort
	for _, effort := range ladder {
		if s.Has(effort) {
			all = append(all, effort)
		}
	}
	return all
}

// Nearest returns the effort of the set that is nearest to the one that is wanted, the
// lesser of two; the wanted one where the set is empty.
func (s Efforts) Nearest(wanted Effort) Effort {
	at := slices.Index(ladder, wanted)
	for distance := range ladder {
		for _, i := range []int{at - distance, at + distance} {
			if at >= 0 && i >= 0 && i < len(ladder) && s.Has(ladder[i]) {
				return ladder[i]
			}
		}
	}
	return wanted
}

// String lists the efforts as ParseEfforts reads them.
func (s Efforts) String() string {
	var names []string
	for _, effort := range s.List() {
		names = append(names, string(effort))
	}
	return strings.Join(names, ",")
}

// ParseEfforts returns the efforts that a text in lower case names, none being off.
func ParseEfforts(text string) Efforts {
	var efforts Efforts
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c < 'a' || c > 'z' }) {
		if word == "none" {
			word = string(EffortOff)
		}
		efforts |= EffortSet(Effort(word))
	}
	return efforts
}
