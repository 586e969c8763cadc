package approve_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/message"
)

// networkAsker answers questions about the network one way and all others with yes.
type networkAsker struct {
	allow   bool
	broker  *approve.Broker
	asked   []message.Effect
	network []bool
}

func (a *networkAsker) Ask(_ context.Context, request event.ConfirmRequest) (message.Decision, error) {
	a.asked = append(a.asked, request.Preview.Effect)
	a.network = append(a.network, a.broker.AsksNetwork("r", request.CallID))
	if request.Preview.Effect == message.EffectNetwork && !a.allow {
		return message.Decision{Verdict: message.Reject, By: message.ByUser}, nil
	}
	return message.Decision{Verdict: message.Approve, By: message.ByUser}, nil
}

func TestSEC02_NetworkIsAQuestionOfItsOwn(t *testing.T) {
	connected := message.Preview{Effect: message.EffectCommand, Network: true}
	page := message.Preview{Effect: message.EffectNetwork, URL: "https://example.com/"}
	for _, test := range []struct {
		name    string
		mode    approve.Mode
		flag    bool
		preview message.Preview
		allow   bool
		asked   int
		want    message.Verdict
		code    message.ToolCode
	}{
		{"asked, allowed", approve.Ask, false, connected, true, 2, message.Approve, ""},
		{"asked, refused", approve.Ask, false, connected, false, 2, message.Reject, message.NetworkDenied},
		{"all passes, but not the network", approve.All, false, connected, false, 1, message.Reject, message.NetworkDenied},
		{"all and the flag", approve.All, true, connected, false, 0, message.Approve, ""},
		{"the flag alone", approve.Ask, true, connected, false, 1, message.Approve, ""},
		{"none", approve.None, true, connected, true, 0, message.Reject, message.Rejected},
		{"a page in ask", approve.Ask, false, page, false, 1, message.Reject, message.Rejected},
		{"a page in writes", approve.Writes, false, page, true, 1, message.Approve, ""},
		{"all passes, but not a page", approve.All, false, page, false, 1, message.Reject, message.Rejected},
		{"all, and the page is allowed", approve.All, false, page, true, 1, message.Approve, ""},
		{"all and the flag, a page", approve.All, true, page, false, 0, message.Approve, ""},
		{"the flag alone, a page", approve.Ask, true, page, false, 0, message.Approve, ""},
		{"none, a page", approve.None, true, page, true, 0, message.Reject, message.Rejected},
		{"no network", approve.All, false, command(), false, 0, message.Approve, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := gate(test.mode, &log{})
				asker := &networkAsker{allow: test.allow, broker: g.Broker}
				g.AllowNetwork, g.Asker = test.flag, asker
				decision := g.Ask(t.Context(), shell, asking(test.preview), func() {})
				if len(asker.asked) != test.asked || decision.Verdict != test.want {
					t.Errorf("asked about %v, decided %+v", asker.asked, decision)
				}
				for i, effect := range asker.asked {
					if asker.network[i] != (effect == message.EffectNetwork && test.preview.Network) {
						t.Errorf("question %d: the broker says network %v of %s", i, asker.network[i], effect)
					}
				}
				if test.want != message.Reject {
					return
				}
				if got := decision.Refused(); got.Error.Code != test.code {
					t.Errorf("got %v", got.Error)
				}
			})
		})
	}
}

// The answer to the first question is none to the second: their hashes differ.
func TestSEC02_AnApprovalIsNoneOfTheNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &log{}
		g := gate(approve.Ask, l)
		done := make(chan message.Decision)
		go func() {
			done <- g.Ask(t.Context(), shell, asking(message.Preview{Effect: message.EffectCommand, Network: true}), func() {})
		}()
		synctest.Wait()
		first := l.events[0].(event.ConfirmRequest)
		yes := message.Decision{Verdict: message.Approve, By: message.ByUser, Hash: first.Hash}
		if err := g.Broker.Confirm("r", shell.ID, yes); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		var refusal *message.Refusal
		if err := g.Broker.Confirm("r", shell.ID, yes); !errors.As(err, &refusal) || refusal.Code != message.NotFound {
			t.Errorf("the same answer once more: %v", err)
		}
		yes.Hash = l.events[1].(event.ConfirmRequest).Hash
		if err := g.Broker.Confirm("r", shell.ID, yes); err != nil {
			t.Fatal(err)
		}
		if decision := <-done; decision.Verdict != message.Approve {
			t.Errorf("got %+v", decision)
		}
	})
}
