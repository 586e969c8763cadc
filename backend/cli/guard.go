package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// guardTitles say in one line what each guard asks.
var guardTitles = map[message.GuardKind]string{
	message.GuardDoomLoop:  "? the run repeats itself; may it go on",
	message.GuardAllFailed: "? nothing that the run tries succeeds; may it go on",
	message.GuardBudget:    "? the run has used up its tokens; may it use as many again",
}

// guardQuestion is what the user is shown when a guard has paused the run, folded at
// the given number of columns; 0 folds nothing. A model may have chosen the words of
// the detail, so they stand beside the gutter as those of a call do.
func guardQuestion(request event.GuardRequest, columns int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "\n%s\n", cmp.Or(guardTitles[request.Kind], "? may the run go on"))
	for _, row := range foldRows(message.Inline(request.Detail), columns) {
		out.WriteString(gutter + row + "\n")
	}
	return out.String()
}

// AskGuard implements approve.GuardAsker.
func (t *terminal) AskGuard(ctx context.Context, request event.GuardRequest) (verdict message.GuardVerdict, err error) {
	err = t.askQuestion(ctx, posed{
		milestone: milestoneOf(request.GuardID, request.ExpiresAt), title: "the question of a guard",
		text:    func(columns int) string { return guardQuestion(request, columns) },
		choices: "[c]ontinue, [s]top, [k]eep waiting: ",
		decide: func(_ context.Context, _ *answering, answer string) (bool, error) {
			switch answer {
			case "c", "continue":
				verdict = message.GuardContinue
			case "s", "stop":
				verdict = message.GuardStop
			case "k", "keep waiting":
				return false, t.broker.Extend(t.runID(), request.GuardID)
			}
			return verdict != "", nil
		},
	})
	return verdict, err
}

// AskGuard implements approve.GuardAsker: what repeats itself in the tour would do so
// for ever.
func (g *guide) AskGuard(ctx context.Context, request event.GuardRequest) (message.GuardVerdict, error) {
	if err := g.shown.awaitReached(ctx, milestoneOf(request.GuardID, request.ExpiresAt)); err != nil {
		return "", err
	}
	fmt.Fprintln(g.out, guardQuestion(request, 0)+"  [guided tour] the user would be asked here; the tour stops")
	return message.GuardStop, nil
}
