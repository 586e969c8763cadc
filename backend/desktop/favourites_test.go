package desktop_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/desktop"
)

func TestUI06_FavouritesAreKeptAndChosenWithTheirEffort(t *testing.T) {
	s := open(t, "text Done.", nil)
	models := service[*desktop.Models](s)
	if favourites := s.state().Favourites; favourites == nil || len(favourites) != 0 {
		t.Fatalf("at first: %v", favourites)
	}
	liked := desktop.SavedModel{Provider: "openrouter", BaseURL: "https://openrouter.ai/api/v1", Model: "a/b", Effort: "high"}
	for _, model := range []desktop.SavedModel{liked, {BaseURL: s.baseURL, Model: "scripted"}} {
		if _, err := models.Favour(model); err != nil {
			t.Fatal(err)
		}
	}
	liked.Title = "OpenRouter"
	want := []desktop.SavedModel{{BaseURL: s.baseURL, Model: "scripted"}, liked}
	if diff := cmp.Diff(want, s.state().Favourites); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	chosen, err := models.Use(desktop.ModelChoice{BaseURL: s.baseURL, Model: "scripted", Effort: "low"})
	if err != nil || chosen.Effort != "low" || s.state().Model.Effort != "low" {
		t.Errorf("chosen %+v, %v", chosen, err)
	}
	if _, err := models.Use(desktop.ModelChoice{BaseURL: s.baseURL, Model: "scripted", Effort: "much"}); code(t, err) != desktop.CodeUsage {
		t.Errorf("an effort that is none: %v", err)
	}
	if _, err := models.Unfavour(desktop.SavedModel{BaseURL: s.baseURL, Model: "scripted"}); err != nil {
		t.Fatal(err)
	}
	if favourites := s.state().Favourites; len(favourites) != 1 || favourites[0].Model != "a/b" {
		t.Errorf("left: %v", favourites)
	}
}

func TestUI06_WhatIsKnownOfTheModelIsShown(t *testing.T) {
	s := open(t, "text Done.", nil)
	chosen, err := service[*desktop.Models](s).Use(desktop.ModelChoice{BaseURL: s.baseURL, Model: "scripted"})
	// A server on this computer costs nothing, and nobody knows its model's window.
	if err != nil || !chosen.Priced || chosen.Price.Prompt != 0 || chosen.Window != 0 || chosen.Reasons {
		t.Errorf("chosen %+v, %v", chosen, err)
	}
}

func TestUI14_ModelsThatWereUsedCanBeUsedAgain(t *testing.T) {
	s := open(t, "", nil)
	models := service[*desktop.Models](s)
	if recent := s.state().RecentModels; recent == nil || len(recent) != 0 {
		t.Fatalf("at first: %v", recent)
	}
	for _, effort := range []string{"", "low"} {
		for _, name := range []string{"one", "two"} {
			if _, err := models.Use(desktop.ModelChoice{BaseURL: s.baseURL, Model: name, Effort: effort}); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []desktop.SavedModel{{BaseURL: s.baseURL, Model: "two", Effort: "low"}, {BaseURL: s.baseURL, Model: "one", Effort: "low"}}
	if diff := cmp.Diff(want, s.state().RecentModels); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUI14_AModelWithoutItsKeyIsFoundOutBeforehand(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	models := service[*desktop.Models](s)
	if _, err := models.CheckKey(desktop.SavedModel{Provider: "openai", Model: "gpt"}); code(t, err) != desktop.CodeNoKey {
		t.Errorf("no key: %v", err)
	}
	if _, err := models.CheckKey(desktop.SavedModel{BaseURL: s.baseURL, Model: "other"}); err != nil {
		t.Errorf("none is needed: %v", err)
	}
	if state := s.state(); state.Model.Model != "scripted" || len(state.RecentModels) != 1 {
		t.Errorf("it was chosen: %+v", state)
	}
}
