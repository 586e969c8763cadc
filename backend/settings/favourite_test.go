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
