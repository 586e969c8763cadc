package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"fairlead/backend/approve"
	"fairlead/backend/message"
)

// maxInputLine bounds one line of standard input, in bytes: the edited content of
// a file can be long.
const maxInputLine = 16 << 20

// inputLine is one line of --input jsonl.
type inputLine struct {
	Type      string          `json:"type"`
	CallID    string          `json:"callId"`
	Decision  message.Verdict `json:"decision"`
	Arguments json.RawMessage `json:"arguments"`
	Reason    string          `json:"reason"`
	Stop      bool            `json:"stop"`
	Hash      string          `json:"hash"`
}

// obey reads answers and orders for a run, a JSON object a line, until the input
// ends. A bad line is answered with one line on standard error and changes
// nothing; the end of the input refuses the questions that still wait.
func obey(in io.Reader, stderr io.Writer, runID string, desk *approve.Desk, cancel func() error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxInputLine)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		if err := obeyLine(lines.Bytes(), runID, desk, cancel); err != nil {
			fmt.Fprintln(stderr, message.Visible("error: input line ignored: "+oneLine(err.Error())))
		}
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(stderr, message.Visible("error: read standard input: "+oneLine(err.Error())))
	}
	desk.Close("standard input was closed")
}

func obeyLine(line []byte, runID string, desk *approve.Desk, cancel func() error) error {
	var order inputLine
	if err := json.Unmarshal(line, &order); err != nil {
		return fmt.Errorf("not a JSON object of the known form: %w", err)
	}
	switch order.Type {
	case "confirm":
		return desk.Confirm(runID, order.CallID, message.Decision{
			Verdict: order.Decision, By: message.ByUser, Arguments: order.Arguments, Reason: order.Reason, Stop: order.Stop,
			Hash: order.Hash,
		})
	case "extend":
		return desk.Extend(runID, order.CallID)
	case "cancel":
		return cancel()
	}
	return errors.New(`type must be one of "confirm", "extend", "cancel"`)
}
