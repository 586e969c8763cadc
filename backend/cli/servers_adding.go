package cli

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"fairlead/backend"
	"fairlead/backend/mcp"
	"fairlead/backend/mcp/host"
	"fairlead/backend/mcp/install"
	"fairlead/backend/mcp/registry"
	"fairlead/backend/mcp/remote"
	"fairlead/backend/message"
)

// adding adds one server for a folder: each step is shown, and a question about what was shown.
type adding struct {
	ctx        context.Context //nolint:containedctx // it is one command
	b          *backend.Backend
	asker      *asker
	interrupts *interrupts
	folder     string
	scripts    bool
}

// add asks about a server, installs what has to be, adds it, and has its tools agreed to. known says
// that it is one that was added before, of which the name alone is given.
func (a *adding) add(w wanted, known bool) error {
	old, err := a.b.Servers.Registry.Server(w.Definition.Name)
	there := err == nil
	if known {
		if err != nil {
			return err
		}
		w.Definition, w.grant.Variables = old.Definition, old.Variables
	}
	if err := w.check(); err != nil {
		return err
	}
	for _, value := range w.values() {
		a.b.Redactor.Add(value)
	}
	a.show(w)
	if there && old.Definition.Hash() != w.Definition.Hash() {
		a.asker.say("There is a server %s already:", old.Name)
		a.asker.quote(old.String())
		yes, err := a.asker.ask("Put the new one in its place?")
		if err != nil {
			return err
		}
		if !yes {
			a.asker.say("The server %s stays as it was.", old.Name)
			return nil
		}
	}
	addition := host.Addition{Definition: w.Definition, Values: w.values(), Scripts: a.scripts, Private: old.Private && known}
	if !known {
		if addition.Offer, err = a.offer(w.Definition); err != nil {
			return err
		}
		if _, fetches := w.Definition.Fetches(); fetches && addition.Offer == nil {
			a.asker.say("Nothing was installed, and the server %s was not added.", w.Definition.Name)
			return nil
		}
	}
	agreed, err := a.agreeToGrant(w, &addition)
	if err != nil {
		return err
	}
	if err := a.put(addition, known && addition.Private == old.Private); err != nil {
		return err
	}
	if !agreed {
		a.asker.say("The server %s is added, and not used for this folder; to be asked again: fairlead mcp add %s", w.Definition.Name, w.Definition.Name)
		return nil
	}
	if err := a.b.Servers.Grant(a.ctx, a.folder, w.Definition.Name, w.grant); err != nil {
		return err
	}
	a.askValues(w)
	return trial{a.ctx, a.b, a.asker, a.folder, w.Definition.Name, true}.run()
}

// show shows what the server is, and what of a text about it is not taken.
func (a *adding) show(w wanted) {
	what := "is this program"
	if w.Definition.Kind != mcp.KindStdio {
		what = "is not on this computer, but at this address"
	}
	a.asker.say("The server %s %s:", w.Definition.Name, what)
	a.asker.quote(w.Definition.String())
	if len(w.Definition.Headers) > 0 {
		a.asker.say("It is sent the headers %s.", strings.Join(w.Definition.Headers, ", "))
	}
	if len(w.NotTaken) > 0 {
		a.asker.say("Not taken from the text: %s.", strings.Join(w.NotTaken, ", "))
	}
	if len(w.Needs) > 0 {
		a.asker.say("The text has no value for %s.", strings.Join(w.Needs, ", "))
	}
}

// offer finds out what is installed for a server, and asks about it; nil for nothing, which is a no
// where the definition fetches.
func (a *adding) offer(d mcp.Definition) (*install.Offer, error) {
	fetch, fetches := d.Fetches()
	if !fetches {
		return nil, nil //nolint:nilnil // as said above
	}
	a.asker.say("%s would fetch it at each start; it is installed once instead. The registry of packages is asked over the network what %s is today …",
		fetch.Runner, message.Inline(fetch.Package))
	offer, err := a.b.Servers.Offer(a.ctx, d)
	if err != nil {
		return nil, err
	}
	a.asker.say("To be installed, once, confined, and started from there:")
	a.asker.quote(describeOffer(*offer, a.scripts))
	yes, err := a.asker.ask("Install it?")
	if err != nil || !yes {
		return nil, err
	}
	return offer, nil
}

// describeOffer says what is installed, a line each.
func describeOffer(o install.Offer, scripts bool) string {
	lines := []string{"package: " + o.Main().String(), "hash: " + o.Integrity, "registry: " + o.Registry}
	for _, more := range o.Packages[1:] {
		lines = append(lines, "with: "+more.String())
	}
	if len(o.OtherHosts) > 0 {
		lines = append(lines, "from other hosts too: "+strings.Join(o.OtherHosts, ", "))
	}
	lines = append(lines, fmt.Sprintf("packages in all: %d", o.Count))
	if len(o.Scripts) > 0 {
		run := "which do not run (--scripts lets them)"
		if scripts {
			run = "which run, confined"
		}
		lines = append(lines, fmt.Sprintf("install scripts, %s: %s", run, strings.Join(o.Scripts, ", ")))
	}
	for i, line := range lines {
		lines[i] = message.Inline(line)
	}
	return strings.Join(lines, "\n")
}

// agreeToGrant shows what the server may do, and how far it is held to that here, and asks about it.
// A yes to an address of this computer or of a private network is noted in the addition.
func (a *adding) agreeToGrant(w wanted, addition *host.Addition) (bool, error) {
	folder := message.Inline(a.folder)
	if w.Definition.Kind != mcp.KindStdio {
		return a.agreeToAddress(w.Definition, folder, addition)
	}
	a.asker.say("What it may do: it %s.", w.grant)
	level := a.b.Confinement().Level
	switch {
	case level == message.LevelFull:
		a.asker.say("The system holds it to that (confinement: %s).", level)
	case len(w.grant.Hosts) > 0:
		a.asker.say("! The system does not hold it to that (confinement: %s): it runs with more rights, and reaches other hosts too. So each start and each call of it asks.", level)
	default:
		a.asker.say("! The system does not hold it to that (confinement: %s): it runs with more rights. So each call of it asks.", level)
	}
	return a.asker.ask(fmt.Sprintf("Let it run so for %s?", folder))
}

func (a *adding) agreeToAddress(d mcp.Definition, folder string, addition *host.Addition) (bool, error) {
	a.asker.say("It is sent what its tools are called with, which can be what the model has read in the folder.")
	near, err := remote.Nearby(a.ctx, d.URL)
	if err != nil {
		return false, err
	}
	question := fmt.Sprintf("Let it be used for %s?", folder)
	if address, err := url.Parse(d.URL); err == nil && near != "" {
		question = fmt.Sprintf("Let it be reached at %s, %s, and used for %s?", message.Inline(address.Host), near, folder)
	}
	yes, err := a.asker.ask(question)
	addition.Private = yes && near != "" || addition.Private
	return yes, err
}

// put adds the server, unless it is there as it is to be.
func (a *adding) put(addition host.Addition, same bool) error {
	if same {
		return nil
	}
	if addition.Offer != nil {
		a.asker.say("Installing …")
	}
	unsaved, err := a.b.Servers.Add(a.ctx, addition)
	if err != nil {
		return err
	}
	if unsaved != nil {
		a.sayUnsaved(addition.Definition, unsaved)
	}
	return nil
}

// sayUnsaved warns that values are lost when the program ends.
func (a *adding) sayUnsaved(d mcp.Definition, unsaved error) {
	a.asker.say("! Values cannot be kept: %s.", oneLine(unsaved.Error()))
	if len(d.Variables) > 0 {
		a.asker.say("  Without that, each start takes them from your environment: %s.", strings.Join(d.Variables, ", "))
	}
}

// agreement is what was agreed to of a server for a folder.
func agreement(b *backend.Backend, folder, name string) (registry.Agreement, bool, error) {
	all, err := b.Servers.Registry.Agreed(folder)
	if err != nil {
		return registry.Agreement{}, false, err
	}
	at := slices.IndexFunc(all, func(a registry.Agreement) bool { return a.Name == name })
	if at < 0 {
		return registry.Agreement{}, false, nil
	}
	return all[at], true, nil
}
