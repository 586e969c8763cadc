package desktop_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/message"
	"fairlead/backend/settings"
)

// written is the settings file.
func (s *stage) written() string {
	text, _ := os.ReadFile(filepath.Join(s.folders.Config, settings.FileName))
	return string(text)
}

const foreign = "https://collect.example/v1"

func TestSEC07_WithoutADialogNoAddressOrVariableOfThePagesIsSaved(t *testing.T) {
	s := open(t, "text hello", nil)
	models := service[*desktop.Models](s)
	t.Setenv("FAIRLEAD_TEST_SECRET", "sk-canary-0123456789")
	for name, save := range map[string]func() error{
		"a provider elsewhere": func() error {
			_, err := models.SaveProvider(desktop.OwnProvider{Name: "lab", BaseURL: foreign})
			return err
		},
		"a provider with a variable": func() error {
			_, err := models.SaveProvider(desktop.OwnProvider{Name: "lab", BaseURL: s.baseURL, KeyEnv: "FAIRLEAD_TEST_SECRET"})
			return err
		},
		"a model elsewhere": func() error {
			_, err := models.Use(desktop.ModelChoice{BaseURL: foreign, Model: "m"})
			return err
		},
	} {
		err := save()
		if code(t, err) != desktop.Code(message.InvalidState) || !strings.Contains(err.Error(), settings.FileName) {
			t.Errorf("%s: %v, want a refusal that names the settings file", name, err)
		}
	}
	if text := s.written(); text != "" {
		t.Errorf("the settings file says\n%s", text)
	}
	if model := s.state().Model; model != nil {
		t.Errorf("a model is chosen: %+v", model)
	}
	// What needs no dialog is saved as before.
	if _, err := models.SaveProvider(desktop.OwnProvider{Name: "here", BaseURL: s.baseURL}); err != nil {
		t.Errorf("a provider on this computer: %v", err)
	}
	if _, err := models.Use(desktop.ModelChoice{Provider: "openrouter", Model: "a/b"}); err != nil {
		t.Errorf("a provider of the catalogue: %v", err)
	}
}

func TestSEC07_TheDialogShowsWhatIsSavedAndDecides(t *testing.T) {
	h := newHand()
	s := open(t, "text hello", h)
	models := service[*desktop.Models](s)
	lab := desktop.OwnProvider{Name: "lab", BaseURL: foreign, KeyEnv: "FAIRLEAD_TEST_SECRET"}
	for _, press := range []desktop.Press{desktop.No, desktop.Dismissed, desktop.InWindow} {
		h.presses <- press
		if _, err := models.SaveProvider(lab); code(t, err) != desktop.Code(message.Rejected) || s.written() != "" {
			t.Errorf("%v: %v; the file says\n%s", press, err, s.written())
		}
		if d := h.next(t); !strings.Contains(d.Text, foreign) || !strings.Contains(d.Text, lab.KeyEnv) || d.InWindow != "" {
			t.Errorf("the dialog is %+v", d)
		}
	}
	h.presses <- desktop.Yes
	if _, err := models.SaveProvider(lab); err != nil || !strings.Contains(s.written(), foreign) {
		t.Errorf("%v; the file says\n%s", err, s.written())
	}
	h.next(t)
	// What is saved already, and what the file knows, is asked about no more.
	lab.Title = "The lab"
	if _, err := models.SaveProvider(lab); err != nil {
		t.Error(err)
	}
	if _, err := models.Use(desktop.ModelChoice{Provider: "lab", Model: "m"}); err != nil {
		t.Error(err)
	}
	h.presses <- desktop.Yes
	if _, err := models.Use(desktop.ModelChoice{BaseURL: foreign + "/other", Model: "m"}); err != nil {
		t.Error(err)
	}
	if d := h.next(t); !strings.Contains(d.Text, foreign+"/other") {
		t.Errorf("the dialog is %+v", d)
	}
	if _, err := models.Use(desktop.ModelChoice{BaseURL: foreign + "/other", Model: "n"}); err != nil || len(h.shown) > 0 {
		t.Errorf("it was agreed to: %v, %d dialogs", err, len(h.shown))
	}
}

func TestSEC07_FewerDialogsAreAskedAboutInOne(t *testing.T) {
	h := newHand()
	s := open(t, "text hello", h)
	page := service[*desktop.Settings](s)
	set := func(when string, press desktop.Press) error {
		t.Helper()
		h.presses <- press
		_, err := page.Set("dialog", when)
		h.next(t)
		return err
	}
	if err := set("never", desktop.No); code(t, err) != desktop.Code(message.Rejected) || s.state().Dialogs != "always" {
		t.Errorf("%v; dialogs are asked %s", err, s.state().Dialogs)
	}
	if err := set("background", desktop.Yes); err != nil || s.state().Dialogs != "background" || s.state().NativeDialogs {
		t.Errorf("%v; the state is %+v", err, s.state())
	}
	if err := set("never", desktop.Yes); err != nil || !strings.Contains(s.written(), `dialog = "never"`) {
		t.Errorf("%v; the file says\n%s", err, s.written())
	}
	// More of them needs no question.
	if _, err := page.Set("dialog", "always"); err != nil || !s.state().NativeDialogs {
		t.Errorf("%v; the state is %+v", err, s.state())
	}
	if _, err := page.Set("dialog", "sometimes"); code(t, err) != desktop.CodeUsage {
		t.Error(err)
	}
	none := open(t, "text hello", nil)
	if _, err := service[*desktop.Settings](none).Set("dialog", "never"); code(t, err) != desktop.Code(message.InvalidState) || none.written() != "" {
		t.Errorf("without dialogs: %v", err)
	}
}

func TestPRE10_AFileWithKeysIsReadOnceTheUserAgreedInADialog(t *testing.T) {
	h := newHand()
	s := open(t, "text hello", h)
	if err := os.WriteFile(filepath.Join(s.folder, "a.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.ready()
	id := s.run("go").SessionID
	s.screen.await(t, "the end", ended)
	sessions := service[*desktop.Sessions](s)
	let := func(path string, press desktop.Press) error {
		t.Helper()
		h.presses <- press
		_, err := sessions.LetRead(id, path)
		if dialog := h.next(t); !strings.Contains(dialog.Text, path) {
			t.Errorf("the dialog names no file: %q", dialog.Text)
		}
		return err
	}
	if err := let("a.txt", desktop.No); code(t, err) != desktop.Code(message.Rejected) || len(s.state().Readable) > 0 {
		t.Errorf("%v; readable are %q", err, s.state().Readable)
	}
	if err := let("a.txt", desktop.Yes); err != nil || !slices.Equal(s.state().Readable, []string{"a.txt"}) {
		t.Errorf("%v; readable are %q", err, s.state().Readable)
	}
	if err := let("b.txt", desktop.Yes); code(t, err) != desktop.Code(message.InvalidParams) || len(s.state().Readable) != 1 {
		t.Errorf("a file that is not there: %v; readable are %q", err, s.state().Readable)
	}
	none := open(t, "text hello", nil)
	if _, err := service[*desktop.Sessions](none).LetRead("", "a.txt"); code(t, err) != desktop.Code(message.InvalidState) {
		t.Errorf("without dialogs: %v", err)
	}
}
