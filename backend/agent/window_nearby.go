package agent

import (
	"fmt"
	"strings"

	"fairlead/backend/message"
)

// Nearby are the instructions of the workspace for files and folders that a call was about
// (SPEC EXT-05).
type Nearby struct {
	// Texts are those that the model is given, the farthest first.
	Texts []NearbyText
	// Notices tell of them, and of those that it is not given.
	Notices []message.Notice
}

// NearbyText is the text of a file with instructions.
type NearbyText struct {
	File message.InstructionsFile
	Text string
}

// lookNearby looks for the instructions for what a call was about, which the model is given after
// the round, and returns what the call's result tells of them.
func (r *run) lookNearby(touched []string) []message.Notice {
	if r.Nearby == nil || len(touched) == 0 {
		return nil
	}
	given := givenInstructions(r.messages)
	for _, text := range r.nearby {
		given = append(given, text.File)
	}
	found := r.Nearby(touched, given)
	r.nearby = append(r.nearby, found.Texts...)
	return found.Notices
}

// givenInstructions are the files with instructions that the model was given.
func givenInstructions(history []message.Message) (given []message.InstructionsFile) {
	for i := range history {
		for j := range history[i].Parts {
			if file := history[i].Parts[j].Instructions; file != nil {
				given = append(given, *file)
			}
		}
	}
	return given
}

// addNearby gives the model the instructions that the calls of a round have led to. They go to the
// end, so that what stands before them stays the same to the byte.
func (r *run) addNearby() {
	if len(r.nearby) == 0 {
		return
	}
	m := r.newMessage(message.User)
	m.Synthetic = true
	for _, text := range r.nearby {
		part := r.newPart(m, message.TextPart, text.section())
		part.Instructions = &text.File
		m.Parts = append(m.Parts, part)
	}
	r.nearby = nil
	r.appendMessage(m)
}

// section is the text as the model reads it.
func (t NearbyText) section() string {
	folder := "."
	if at := strings.LastIndexByte(t.File.Path, '/'); at >= 0 {
		folder = t.File.Path[:at]
	}
	return fmt.Sprintf("<instructions>\nThe project's instructions for the files in %s and below it, from %s, to which the user agreed. "+
		"Where instructions differ, those nearest to a file hold for it.\n%s\n</instructions>",
		message.Inline(folder), message.Inline(t.File.Path), strings.TrimSpace(t.Text))
}

// nearbyTexts are the instructions that the model was given in the course of a conversation, to the
// letter: of each file those that were given last.
func (p *Parts) nearbyTexts(older []message.Message) ([]string, error) {
	last := map[string]message.Part{}
	var paths []string // in the order in which they were given first
	for i := range older {
		for _, part := range older[i].Parts {
			file := part.Instructions
			if file == nil {
				continue
			}
			if _, known := last[file.Path]; !known {
				paths = append(paths, file.Path)
			}
			last[file.Path] = part
		}
	}
	texts := make([]string, len(paths))
	for i, path := range paths {
		whole, err := p.wholePart(last[path])
		if err != nil {
			return nil, err
		}
		texts[i] = whole.Text
	}
	return texts, nil
}
