package settings_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"fairlead/backend/settings"
)

// TestCFG01_ThePageOfSettingsIsTheTable compares docs/settings.md with the options.
func TestCFG01_ThePageOfSettingsIsTheTable(t *testing.T) {
	page, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	want.WriteString("| setting | flag | variable | default | values | what it is |\n|---|---|---|---|---|---|\n")
	quoted := func(text string) string {
		if text == "" {
			return ""
		}
		return "`" + text + "`"
	}
	for _, o := range settings.Options() {
		flag := ""
		if o.Flag != "" {
			flag = "--" + o.Flag
		}
		help := strings.ReplaceAll(o.Help, "${default}", o.Default)
		fmt.Fprintf(&want, "| %s | %s | %s | %s | %s | %s |\n",
			quoted(o.Key), quoted(flag), quoted(o.Variable()), quoted(o.Default), o.Range(), help)
	}
	_, got, _ := strings.Cut(string(page), "\n\n| setting")
	got, _, _ = strings.Cut("| setting"+got, "\n\n")
	if strings.TrimSpace(got) != strings.TrimSpace(want.String()) {
		t.Errorf("docs/settings.md has another table than the options; it is to be:\n%s", want.String())
	}
}
