package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fairlead/backend/event"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
	"fairlead/backend/secret"
	"fairlead/backend/session"
	"fairlead/backend/workspace"
)

// The exit codes of SPEC CLI-01.
const (
	exitOK        = 0
	exitError     = 1
	exitUsage     = 2
	exitMaxSteps  = 3
	exitUsedUp    = 4
	exitDoomLoop  = 5
	exitStopped   = 6
	exitCancelled = 130
)

// exitCode is the code for the way a run ended.
func exitCode(run *session.Run) int {
	switch run.Wait().Reason {
	case message.ReasonCompleted:
		return exitOK
	case message.ReasonMaxSteps:
		return exitMaxSteps
	case message.ReasonTimeout, message.ReasonBudget:
		return exitUsedUp
	case message.ReasonDoomLoop:
		return exitDoomLoop
	case message.ReasonRejected:
		return exitStopped
	case message.ReasonInterrupted:
		events, err := run.Events.Since(context.Background(), 0)
		if err == nil && slices.ContainsFunc(events, givesReply) {
			return exitOK
		}
		return exitStopped
	case message.ReasonCancelled:
		return exitCancelled
	}
	return exitError
}

// givesReply says that an event is an interrupt which gives the run its reply.
func givesReply(e event.Event) bool {
	interrupt, ok := e.Data.(event.RunInterrupt)
	return ok && interrupt.Message != ""
}

// hintFlags is the advice about a command line that makes no sense.
const hintFlags = "fairlead run --help lists the flags"

// usageError is a fault in what the user typed or set. Nothing was started.
type usageError struct {
	problem string
	hint    string
}

func (e *usageError) Error() string { return e.problem }

// reportError writes an error as "error:" and, where there is advice, "hint:", and
// returns the exit code.
func reportError(stderr io.Writer, err error) int {
	code, hint := exitError, ""
	var usage *usageError
	var choice *catalog.UsageError
	var folder *workspace.RefusedError
	var key *secret.KeyError
	var refusal *message.Refusal
	var kept *session.StoreError
	switch {
	case errors.As(err, &usage):
		code, hint = exitUsage, usage.hint
	case errors.As(err, &choice):
		// Its Error repeats the hint, for those who show one line only.
		err, code, hint = errors.New(choice.Message), exitUsage, choice.Hint
	case errors.As(err, &folder):
		code, hint = exitUsage, folder.Hint
	case errors.As(err, &key):
		code, hint = exitUsage, "set the variable to the key alone, or name another one with --api-key-env"
	case errors.As(err, &kept):
		hint = "--no-session works without saved conversations, --data-dir DIR with those of another folder"
	case errors.As(err, &refusal) && refusal.Code == message.InvalidParams:
		err, code, hint = errors.New(refusal.Message), exitUsage, hintFlags
	}
	line := "error: " + oneLine(err.Error())
	if hint != "" {
		line += "\nhint: " + oneLine(hint)
	}
	fmt.Fprintln(stderr, message.Visible(line))
	return code
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
