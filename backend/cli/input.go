package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"fairlead/backend/approve"
	"fairlead/backend/message"
)

// maxInputLine bounds one line of standard input, in bytes: the edited content of
// a file can be long.
const maxInputLine = 16 << 20

// inputLine is one line of --input jsonl. Which fields count depends on its type.
type inputLine struct {
	Type string `json:"type"`
	// CallID and GuardID name the question that is answered.
	CallID  string `json:"callId"`
	GuardID string `json:"guardId"`
	// Decision is a message.Verdict about a call, a message.GuardVerdict of a guard.
	Decision  string          `json:"decision"`
	Arguments json.RawMessage `json:"arguments"`
	Reason    string          `json:"reason"`
	// Paths are those of the changes that an approve applies; all without them.
	Paths []string `json:"paths"`
	// WithoutHunks has, by path, the headers of the parts that are left out of its text.
	WithoutHunks map[string][]string `json:"withoutHunks"`

	Stop bool   `json:"stop"`
	Hash string `json:"hash"`
	// Message is the reply that an interrupted run ends with.
	Message string `json:"message"`
	// Text is a prompt, and Target when the model is to have it.
	Text   string         `json:"text"`
	Target message.Target `json:"target"`
}

// orders are who carries out the lines of standard input: whatever a line says, it
// goes to the current run.
type orders struct {
	runs   *runs
	broker *approve.Broker
}

// readOrders reads answers and orders, a JSON object a line, until the input ends. A bad
// line is answered with one line on standard error and changes nothing; the end of
// the input refuses the questions that still wait.
func readOrders(in io.Reader, stderr io.Writer, to orders) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxInputLine)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		if err := to.obeyLine(lines.Bytes()); err != nil {
			fmt.Fprintln(stderr, message.Visible("error: input line ignored: "+oneLine(err.Error())))
		}
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(stderr, message.Visible("error: read standard input: "+oneLine(err.Error())))
	}
	to.broker.Close("standard input was closed")
}

func (o orders) obeyLine(line []byte) error {
	var order inputLine
	if err := json.Unmarshal(line, &order); err != nil {
		return fmt.Errorf("not a JSON object of the known form: %w", err)
	}
	runID := o.runs.RunID()
	switch order.Type {
	case "confirm":
		return o.broker.Confirm(runID, order.CallID, message.Decision{
			Verdict: message.Verdict(order.Decision), By: message.ByUser, Arguments: order.Arguments,
			Reason: order.Reason, Stop: order.Stop, Hash: order.Hash,
			Chosen: message.Chosen{Paths: order.Paths, WithoutHunks: order.WithoutHunks},
		})
	case "guard":
		return o.broker.Decide(runID, order.GuardID, message.GuardVerdict(order.Decision))
	case "extend":
		return o.broker.Extend(runID, cmp.Or(order.CallID, order.GuardID))
	case "prompt":
		return o.sendPrompt(order)
	case "interrupt":
		if strings.TrimSpace(order.Message) == "" {
			order.Message = "" // nothing to reply with
		}
		return o.runs.interruptRun(order.Message)
	case "retry":
		return o.runs.RetryRun()
	case "cancel":
		return o.runs.Cancel()
	}
	return errors.New(`type must be one of "confirm", "guard", "extend", "prompt", "interrupt", "retry", "cancel"`)
}

// sendPrompt gives the current run something more to do.
func (o orders) sendPrompt(order inputLine) error {
	switch {
	case strings.TrimSpace(order.Text) == "":
		return errors.New("a prompt needs a text")
	case len(order.Text) > maxPrompt:
		return fmt.Errorf("a prompt has at most 1 MiB, not %d bytes", len(order.Text))
	}
	return o.runs.queuePrompt(order.Text, cmp.Or(order.Target, message.TargetStep))
}
