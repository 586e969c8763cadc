package settings

// Origin says where the value of a setting comes from.
type Origin string

// The origins, the one that goes before all others first.
const (
	FromFlag     Origin = "flag"
	FromVariable Origin = "variable"
	FromFile     Origin = "file"
	FromDefault  Origin = "default"
)

// Entry is a setting with its value, as a page of settings shows it.
type Entry struct {
	Key string `json:"key"`
	// Kind is text, whole, number, switch or duration.
	Kind string `json:"kind"`
	// Choices are all values that the file can have, where they are words.
	Choices []string `json:"choices"`
	// Low and High are the least and the greatest value of a number.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Default is the value where nothing gives one; empty for none.
	Default string `json:"default"`
	// Value is the one that holds, and From where it comes from.
	Value string `json:"value"`
	From  Origin `json:"from"`
	// Variable is the environment variable that goes before the file.
	Variable string `json:"variable"`
}

// kinds are the names of kinds.
var kinds = map[kind]string{text: "text", whole: "whole", number: "number", boolean: "switch", duration: "duration"}

// List returns all settings but those in tables, in the order in which they are shown.
func (f File) List() []Entry {
	entries := make([]Entry, 0, len(options))
	for _, o := range options {
		value, from := f.find(o)
		entry := Entry{
			Key: o.Key, Kind: kinds[o.kind], Choices: []string{}, Low: o.bounds.low, High: o.bounds.high,
			Default: o.Default, Value: value, From: from, Variable: o.Variable(),
		}
		for _, choice := range o.bounds.choices {
			if _, refused := o.refused[choice]; !refused {
				entry.Choices = append(entry.Choices, choice)
			}
		}
		entries = append(entries, entry)
	}
	return entries
}
