package settings_test

import (
	"fmt"
	"testing"

	"fairlead/backend/settings"
)

func TestUI06_Favourites(t *testing.T) {
	var state settings.State
	for i := range 22 {
		state.Favour(settings.ModelChoice{Provider: "p", BaseURL: "https://p.invalid", Model: fmt.Sprint(i)})
	}
	if len(state.Favourites) != 20 || state.Favourites[0].Model != "21" || state.Favourites[19].Model != "2" {
		t.Fatalf("favourites %v", state.Favourites)
	}
	again := settings.ModelChoice{Provider: "p", BaseURL: "https://p.invalid", Model: "5", Effort: "low"}
	state.Favour(again)
	if len(state.Favourites) != 20 || state.Favourites[0] != again {
		t.Errorf("once more: %v", state.Favourites)
	}
	state.Unfavour(settings.ModelChoice{Provider: "p", BaseURL: "https://p.invalid", Model: "5"})
	state.Unfavour(settings.ModelChoice{Provider: "other", BaseURL: "https://p.invalid", Model: "6"})
	if len(state.Favourites) != 19 {
		t.Errorf("without one there are %d", len(state.Favourites))
	}
	dir := t.TempDir()
	if err := state.Write(dir); err != nil {
		t.Fatal(err)
	}
	kept, err := settings.ReadState(dir)
	if err != nil || len(kept.Favourites) != 19 {
		t.Errorf("kept %v, %v", kept.Favourites, err)
	}
}

func TestUI14_ModelsThatWereUsedAreRemembered(t *testing.T) {
	var state settings.State
	state.Favour(settings.ModelChoice{Provider: "p", BaseURL: "https://p.invalid", Model: "9", Effort: "low"})
	for i := range 10 {
		state.Used(settings.ModelChoice{Provider: "p", BaseURL: "https://p.invalid", Model: fmt.Sprint(i)})
	}
	if len(state.RecentModels) != 8 || state.RecentModels[0].Model != "9" || state.RecentModels[7].Model != "2" {
		t.Fatalf("recent models %v", state.RecentModels)
	}
	again := settings.ModelChoice{Provider: "p", BaseURL: "https://p.invalid", Model: "9", Effort: "high"}
	state.Used(again)
	elsewhere := settings.ModelChoice{Provider: "p", BaseURL: "https://eu.p.invalid", Model: "9"}
	state.Used(elsewhere)
	if state.Model != elsewhere || state.RecentModels[0] != elsewhere || state.RecentModels[1] != again || state.RecentModels[2].Model != "8" {
		t.Errorf("once more: %v", state.RecentModels)
	}
	if state.Favourites[0] != again {
		t.Errorf("the favourite is kept as %v", state.Favourites[0])
	}
	dir := t.TempDir()
	if err := state.Write(dir); err != nil {
		t.Fatal(err)
	}
	if kept, err := settings.ReadState(dir); err != nil || len(kept.RecentModels) != 8 {
		t.Errorf("kept %v, %v", kept.RecentModels, err)
	}
}
