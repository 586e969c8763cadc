package message

import "fmt"

// CallIDs are the ids of the calls of a session.
type CallIDs map[string]bool

// Unique returns a provider's id unless the session has it already, and remembers what
// it returns: some providers send the same id every turn, or none.
func (ids CallIDs) Unique(id string) string {
	if id == "" {
		id = "call"
	}
	unique := id
	for n := 2; ids[unique]; n++ {
		unique = fmt.Sprintf("%s_%d", id, n)
	}
	ids[unique] = true
	return unique
}
