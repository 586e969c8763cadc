package settings

import "slices"

// maxInstructionsChoices is how many decisions about instructions are remembered.
const maxInstructionsChoices = 100

// InstructionsChoice is what the user decided about the instructions that a project
// has for models (SPEC MSG-10).
type InstructionsChoice struct {
	// Workspace is the project's folder.
	Workspace string `json:"workspace"`
	// SHA256 is that of the text that was shown, in hexadecimal.
	SHA256 string `json:"sha256"`
	// Use says that models are given the text.
	Use bool `json:"use"`
}

// UseInstructions says what was decided about the instructions of a workspace.
// decided is false where nobody was asked about them, or their text has another
// SHA-256 by now: who agreed to one text has not agreed to the next.
func (s State) UseInstructions(workspace, sha256 string) (use, decided bool) {
	i := s.instructionsOf(workspace)
	if i < 0 || s.Instructions[i].SHA256 != sha256 {
		return false, false
	}
	return s.Instructions[i].Use, true
}

// DecideInstructions notes what was decided about the instructions of a workspace,
// in place of an earlier decision.
func (s *State) DecideInstructions(choice InstructionsChoice) {
	choices := slices.Clone(s.Instructions)
	if i := s.instructionsOf(choice.Workspace); i >= 0 {
		choices = slices.Delete(choices, i, i+1)
	}
	choices = slices.Insert(choices, 0, choice)
	s.Instructions = choices[:min(len(choices), maxInstructionsChoices)]
}

func (s State) instructionsOf(workspace string) int {
	return slices.IndexFunc(s.Instructions, func(c InstructionsChoice) bool { return c.Workspace == workspace })
}
