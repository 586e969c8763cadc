package desktop_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/approve"
	"fairlead/backend/desktop"
	"fairlead/backend/doctor"
	"fairlead/backend/message"
	"fairlead/backend/settings"
)

// listed reads the list of settings, and finds one.
func (s *stage) listed(key string) (desktop.SettingsList, desktop.Setting) {
	s.t.Helper()
	var list desktop.SettingsList
	s.read("/fairlead/settings", &list)
	at := slices.IndexFunc(list.Settings, func(one desktop.Setting) bool { return one.Key == key })
	if at < 0 {
		s.t.Fatalf("there is no %s", key)
	}
	return list, list.Settings[at]
}

// writeFile writes the settings file by hand.
func (s *stage) writeFile(text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.folders.Config, settings.FileName), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func TestUI13_ASettingIsSavedAndHoldsForTheNextRun(t *testing.T) {
	s := open(t, "text One.\n---\ntext Two.\n", nil)
	page := service[*desktop.Settings](s)
	s.writeFile("# mine\nmax_steps = 10 # few\n")
	if list, one := s.listed("max_steps"); one.Value != "10" || one.From != settings.FromFile || list.Fault != "" || !strings.HasSuffix(list.File, settings.FileName) {
		t.Errorf("what was written by hand: %+v in %+v", one, list)
	}
	s.ready()
	first := s.run("go")
	s.awaitEnd(first.RunID)
	for key, value := range map[string]string{"max_steps": "7", "instructions": "Be brief.", "approve": "none"} {
		if _, err := page.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	if text := s.written(); !strings.HasPrefix(text, "# mine\nmax_steps = 7 # few\n") {
		t.Errorf("the file says\n%s", text)
	}
	s.awaitEnd(s.goOn(first.SessionID, "go on").RunID)
	if requests := s.model.Requests(); strings.Contains(string(requests[0].Body), "Be brief.") || !strings.Contains(string(requests[1].Body), "Be brief.") {
		t.Error("the next run is not told what was set")
	}
	if _, err := service[*desktop.Sessions](s).New(); err != nil || s.state().Approve != approve.None {
		t.Errorf("a new conversation asks %s, %v", s.state().Approve, err)
	}
	if _, err := page.Set("max_steps", ""); err != nil || strings.Contains(s.written(), "max_steps") {
		t.Errorf("%v; the file says\n%s", err, s.written())
	}
}

func TestUI13_WhatCannotBeSetIsSaid(t *testing.T) {
	t.Setenv("FAIRLEAD_PARALLEL", "3")
	s := open(t, "text hello", nil)
	page := service[*desktop.Settings](s)
	for _, test := range []struct{ key, value, want string }{
		{"max_steps", "0", "max_steps must be a whole number from 1 to 500"},
		{"parallel", "4", "FAIRLEAD_PARALLEL"},
		{"approve", "all", "one run only"},
		{"max_stepz", "1", "no setting"},
	} {
		if _, err := page.Set(test.key, test.value); code(t, err) != desktop.CodeUsage || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.key, err)
		}
	}
	if _, one := s.listed("parallel"); one.Value != "3" || one.From != settings.FromVariable {
		t.Errorf("set by a variable: %+v", one)
	}
	if _, one := s.listed("log_level"); !one.Restart {
		t.Error("log_level does not say that it holds from the next start on")
	}
	s.writeFile("max_steps = 20\n")
	s.listed("max_steps")
	s.writeFile("max_steps = 30\nmodle = 'm'\n")
	if list, one := s.listed("max_steps"); one.Value != "20" || !strings.Contains(list.Fault, ":2:1") {
		t.Errorf("a broken file: %+v, %q", one, list.Fault)
	}
	if _, err := page.Set("max_steps", "40"); code(t, err) != desktop.CodeUsage || !strings.Contains(err.Error(), ":2:1") {
		t.Errorf("a broken file: %v", err)
	}
}

func TestSEC07_SettingsThatLoosenAreAskedAboutInADialog(t *testing.T) {
	h := newHand()
	s := open(t, "text hello", h)
	page := service[*desktop.Settings](s)
	for key, value := range map[string]string{
		"api_key_env": "HOME", "proxy": "http://127.0.0.1:1", "ca_file": "/home/ada/ca.pem", "readable_folders": "/home/ada", "base_url": foreign,
	} {
		h.presses <- desktop.No
		if _, err := page.Set(key, value); code(t, err) != desktop.Code(message.Rejected) || s.written() != "" {
			t.Errorf("%s: %v; the file says\n%s", key, err, s.written())
		}
		if d := h.next(t); !strings.Contains(d.Text, value) {
			t.Errorf("%s: the dialog is %+v", key, d)
		}
	}
	h.presses <- desktop.Yes
	if _, err := page.Set("readable_folders", "/home/ada"); err != nil || s.written() != "readable_folders = \"/home/ada\"\n" {
		t.Errorf("%v; the file says\n%s", err, s.written())
	}
	h.next(t)
	if _, err := page.Set("readable_folders", ""); err != nil || s.written() != "" {
		t.Errorf("less needs no question: %v", err)
	}
}

func TestUI13_TheDoctorLooksWithoutShowingKeys(t *testing.T) {
	t.Setenv("GROQ_API_KEY", "gsk_canary0123")
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	s := open(t, "text hello", nil)
	s.writeFile("modle = 'm'\n")
	answer := s.get("/fairlead/doctor")
	if strings.Contains(answer.Body.String(), "canary") {
		t.Error("a key is shown")
	}
	var found []doctor.Finding
	s.read("/fairlead/doctor", &found)
	if len(found) < 6 || found[0].Name != "settings" || found[0].State != doctor.Broken || !strings.Contains(found[0].Detail, ":1:1") {
		t.Errorf("found %+v", found)
	}
	if _, err := service[*desktop.Settings](s).RebuildIndex(); err != nil {
		t.Error(err)
	}
	if _, err := service[*desktop.Settings](s).Open("passwords"); code(t, err) != desktop.CodeUsage {
		t.Error(err)
	}
}
