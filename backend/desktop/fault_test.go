package desktop_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fairlead/backend/desktop"
)

func TestGuardMakesAPanicAnError(t *testing.T) {
	s := open(t, "", nil)
	_, err := desktop.Guard(s.Window, func() (desktop.None, error) { panic("canary") })
	if code(t, err) != desktop.CodeInternal || !strings.Contains(err.Error(), "canary") {
		t.Errorf("got %v", err)
	}
	_, err = desktop.Guard(s.Window, func() (desktop.None, error) { return desktop.None{}, fmt.Errorf("plain") })
	if code(t, err) != desktop.CodeInternal {
		t.Errorf("got %v", err)
	}
}

func TestSEC05_FaultsHaveNoKey(t *testing.T) {
	const canary = "sk-canary-in-a-fault"
	s := open(t, "", nil)
	s.ready()
	choice := desktop.ModelChoice{BaseURL: s.baseURL, Model: "scripted", Key: canary, Keep: "session"}
	if _, err := service[*desktop.Models](s).Use(choice); err != nil {
		t.Fatal(err)
	}
	for what, do := range map[string]func() (desktop.None, error){
		"panic":   func() (desktop.None, error) { panic(canary) },
		"error":   func() (desktop.None, error) { return desktop.None{}, errors.New(canary) },
		"message": func() (desktop.None, error) { return desktop.None{}, &desktop.Fault{Message: canary} },
		"hint":    func() (desktop.None, error) { return desktop.None{}, &desktop.Fault{Message: "x", Hint: canary} },
	} {
		if _, err := desktop.Guard(s.Window, do); err == nil || strings.Contains(fmt.Sprint(desktop.Format(err)), canary) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := service[*desktop.Folders](s).Open("/missing/" + canary); err == nil || strings.Contains(err.Error(), canary) {
		t.Errorf("folder: %v", err)
	}
}

func TestEV06_FaultsAreSmall(t *testing.T) {
	for _, text := range []string{strings.Repeat("\x01", 9000), strings.Repeat("<", 9000), strings.Repeat("世", 9000), strings.Repeat(`"`, 9000)} {
		whole, err := json.Marshal(desktop.Format(&desktop.Fault{Code: desktop.CodeInternal, Message: text, Hint: text}))
		if err != nil || len(whole) > 8192 {
			t.Errorf("%d bytes, %v", len(whole), err)
		}
	}
}
