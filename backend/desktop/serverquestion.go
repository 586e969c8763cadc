package desktop

import (
	"strings"

	"fairlead/backend/message"
)

// serverWords are what is asked about a call of a tool of an MCP server.
type serverWords struct {
	// The headings: of a call, of one whose server has the network, and of the question about the
	// network itself.
	call, callNetwork, network string
	// runs and address begin the line that says what the server is.
	runs, address string
	// readOnly is what the server says of a tool.
	readOnly string
	// What a grant is made of; empty leaves it to the program's own words, which are in English.
	none, read, write, offline, hosts, variables string
	// elsewhere, holds and open say how far a server is held to it; empty leaves it to the program's
	// own sentence, which is in English.
	elsewhere, holds, open string
}

// askAboutServerCall asks about a call of a tool of a server, or about the network for it.
func askAboutServerCall(preview message.Preview, w wording) question {
	call := preview.ServerCall
	q := question{dialog: Dialog{Title: w.callTitle, Heading: w.server.call, Facts: w.serverFacts(preview)}}
	switch {
	case preview.Effect == message.EffectNetwork && preview.Network:
		q.dialog.Title, q.dialog.Heading, q.network = w.networkTitle, w.server.network, true
	case preview.Effect == message.EffectNetwork:
		q.dialog.Heading = w.server.callNetwork
	}
	name := call.Server + " / " + call.Tool
	if call.Title != "" {
		name += "  “" + call.Title + "”"
	}
	q.addText(name+"\n\n"+call.Arguments, w)
	return q
}

// serverFacts say what runs, what it can reach and what else is known of a call.
func (w wording) serverFacts(preview message.Preview) string {
	call := preview.ServerCall
	runs := w.server.runs
	if call.Elsewhere {
		runs = w.server.address
	}
	facts := []string{dialogText(runs + " " + call.Runs), dialogText(w.grantText(preview))}
	if call.ReadOnly {
		facts = append(facts, w.server.readOnly)
	}
	if text := w.undoText(preview.Undo); text != "" {
		facts = append(facts, text)
	}
	return strings.Join(facts, "\n")
}

// grantText says what a server can reach, and how far it is held to that.
func (w wording) grantText(preview message.Preview) string {
	call, words := preview.ServerCall, w.server
	switch {
	case words.none == "":
		return preview.Confinement
	case call.Elsewhere:
		return words.elsewhere
	}
	parts := []string{map[string]string{"read": words.read, "write": words.write}[call.Folder], words.offline}
	if parts[0] == "" {
		parts[0] = words.none
	}
	if len(call.Hosts) > 0 {
		parts[1] = words.hosts + " " + strings.Join(call.Hosts, w.comma)
	}
	if len(call.Variables) > 0 {
		parts = append(parts, words.variables+" "+strings.Join(call.Variables, w.comma))
	}
	held := words.holds
	if preview.Level != message.LevelFull {
		held = words.open
	}
	return held + strings.Join(parts, "；") + "。"
}
