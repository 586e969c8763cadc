package desktop

import (
	"path/filepath"
	"slices"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
	"fairlead/backend/settings"
)

// askBeforeSaving asks the user in a native dialog, which no script in the page can press,
// whether a setting may be saved (SPEC SEC-07). An error means that it may not; the
// refusal names the setting by what.
func (w *Window) askBeforeSaving(what string, dialog Dialog) error {
	words := wordingOf(w.language())
	dialog.Title, dialog.Yes, dialog.No = words.settingTitle, words.save, words.cancel
	byHand := "write it into " + filepath.Join(w.folders.Config, settings.FileName) + " instead, and start Fairlead again"
	return w.requireYes(dialog, what+" is saved", what+" was not saved", byHand)
}

// requireYes asks the user in a native dialog. What is done after a yes, and what was not done
// without one, are for the error, and otherwise is what to do where there are no dialogs.
func (w *Window) requireYes(dialog Dialog, done, notDone, otherwise string) error {
	if w.dialogs == nil {
		return &Fault{
			Code: Code(message.InvalidState), Message: done + " only after a native dialog, and there are none on this system", Hint: otherwise,
		}
	}
	press, err := w.askNatively(w.ctx, dialog)
	switch {
	case w.ctx.Err() != nil:
		return errClosing
	case err != nil:
		w.log.Warn("ask in a native dialog", "error", err)
		return &Fault{
			Code: Code(message.InvalidState), Message: done + " only after a native dialog, which could not be shown", Hint: otherwise,
		}
	case press != Yes:
		return &Fault{
			Code: Code(message.Rejected), Message: notDone + ": the dialog was not answered with a yes",
			Hint: "try again, and answer the dialog",
		}
	}
	return nil
}

// agreeProvider asks about the address and the key's variable of a provider of the
// user's own, unless they are saved with it already.
func (w *Window) agreeProvider(own settings.OwnProvider) error {
	providers := w.remembered.settings().Providers()
	before := settings.OwnProvider{}
	if at := slices.IndexFunc(providers, func(p settings.OwnProvider) bool { return p.Name == own.Name }); at >= 0 {
		before = providers[at]
	}
	address, err := catalog.CleanURL(own.BaseURL)
	if err != nil {
		return err
	}
	saved, _ := catalog.CleanURL(before.BaseURL) // where there was none, none is saved
	if own.KeyEnv != "" && (own.KeyEnv != before.KeyEnv || address != saved) {
		return w.askBeforeSaving("the variable of a key", Dialog{
			Heading: wordingOf(w.language()).keyVariable, Text: dialogText(own.KeyEnv) + "\n" + dialogText(address),
		})
	}
	if address == saved {
		return nil
	}
	return w.agreeAddress(address)
}

// agreeAddress asks about a clean base URL unless it is one that Fairlead or the
// settings file knows, or is on this computer.
func (w *Window) agreeAddress(address string) error {
	if (catalog.Endpoint{BaseURL: address}).Loopback() || w.remembered.catalog().Knows(address) || w.remembered.hasAgreed(address) {
		return nil
	}
	if err := w.askBeforeSaving("an address of your own", Dialog{Heading: wordingOf(w.language()).ownAddress, Text: dialogText(address)}); err != nil {
		return err
	}
	w.remembered.saveChange(func(s *settings.State) { s.AgreeAddress(address) })
	return nil
}

// agreeReading asks whether commands may read a file with keys, by its path.
func (w *Window) agreeReading(path string) error {
	words := wordingOf(w.language())
	return w.requireYes(Dialog{
		Title: words.readTitle, Heading: words.read, Text: dialogText(path), Yes: words.letRead, No: words.cancel,
	}, "commands may read a file with keys", path+" was not shown to commands", "run the task with fairlead run --allow-secret FILE")
}

// dialogText returns a text that the page gave, as a dialog shows it.
func dialogText(text string) string {
	rows, _ := foldText(message.Inline(text), nil, nil)
	return rows
}
