// Package message holds the nouns of a conversation: messages and their parts,
// the calls a model asks for, what became of them, what the user was shown and
// decided, and why a run ended. It imports nothing else of Fairlead.
package message

import "time"

// Role says whose words a message holds.
type Role string

// The roles a stored message can have. There is no tool role here: what a tool
// returned is the output of the tool part that asked for it, so a call and its
// result can never be parted. The model client writes the tool messages.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one entry of a conversation's history.
type Message struct {
	// ID is unique among all messages.
	ID string `json:"id"`
	// SessionID names the conversation the message belongs to.
	SessionID string `json:"sessionID"`
	// RunID names the run that added the message.
	RunID string `json:"runID"`
	// Role says whose words these are.
	Role Role `json:"role"`
	// Name is the sender's name where several senders share a role.
	Name string `json:"name,omitempty"`
	// Synthetic marks a user-role message that Fairlead wrote itself, such as a
	// reminder; it is never shown as the user's own.
	Synthetic bool `json:"synthetic,omitempty"`
	// Parts are what the message consists of, in order.
	Parts []Part `json:"parts"`
	// CreatedAt is when the message was added.
	CreatedAt time.Time `json:"createdAt"`
}

// Text joins what the message's parts say, with a blank line between two.
func (m Message) Text() string {
	var text string
	for i := range m.Parts {
		said := m.Parts[i].Said()
		if said == "" {
			continue
		}
		if text != "" {
			text += "\n\n"
		}
		text += said
	}
	return text
}

// Covers is the id of the last message that this one, a summary, stands for; empty
// for any other message.
func (m Message) Covers() string {
	if len(m.Parts) == 0 {
		return ""
	}
	return m.Parts[0].Covers
}

// ToolParts returns pointers to the message's tool parts in call order.
func (m Message) ToolParts() []*Part {
	var parts []*Part
	for i := range m.Parts {
		if m.Parts[i].Type == ToolPart {
			parts = append(parts, &m.Parts[i])
		}
	}
	return parts
}
