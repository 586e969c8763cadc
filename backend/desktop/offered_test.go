package desktop_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"fairlead/backend/desktop"
)

// listingServer lists the models that it is given, and counts how often it was asked.
type listingServer struct {
	status int
	body   string
	asked  int
}

func (l *listingServer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	l.asked++
	w.WriteHeader(l.status)
	_, _ = w.Write([]byte(l.body)) // the asker may be gone
}

func TestUI14_TheProviderInUseIsAskedForItsModelsOnce(t *testing.T) {
	s := open(t, "", nil)
	server := &listingServer{status: http.StatusInternalServerError, body: `{"error":{"message":"out of order"}}`}
	listening := httptest.NewServer(server)
	t.Cleanup(listening.Close)
	choice := desktop.ModelChoice{BaseURL: listening.URL + "/v1", Model: "one"}
	if _, err := service[*desktop.Models](s).Use(choice); err != nil {
		t.Fatal(err)
	}
	read := func(path string) (desktop.OfferedModels, int) {
		t.Helper()
		answer := s.get("/fairlead/" + path)
		var offered desktop.OfferedModels
		if err := json.Unmarshal(answer.Body.Bytes(), &offered); err != nil {
			t.Fatal(err)
		}
		return offered, answer.Code
	}
	if _, status := read("offered"); status != http.StatusUnprocessableEntity {
		t.Errorf("a fault is status %d", status)
	}
	server.status, server.body = http.StatusOK, `{"data":[{"id":"two"},{"id":"one"}]}`
	for range 2 {
		offered, status := read("offered")
		if status != http.StatusOK || !offered.Listed || offered.BaseURL != choice.BaseURL || len(offered.Models) != 2 || offered.Models[0].Model != "one" {
			t.Errorf("%d: %+v", status, offered)
		}
	}
	before := server.asked
	server.body = `{"data":[{"id":"three"}]}`
	if offered, _ := read("offered?fresh"); len(offered.Models) != 1 || offered.Models[0].Model != "three" {
		t.Errorf("once more: %+v", offered)
	}
	if server.asked != before+1 || before > 4 {
		t.Errorf("it was asked %d times, then %d", before, server.asked)
	}
	server.status = http.StatusNotFound
	if offered, status := read("offered?fresh"); status != http.StatusOK || offered.Listed || offered.Models == nil {
		t.Errorf("without a list: %d, %+v", status, offered)
	}
}

func TestUI14_WhatIsKnownOfModelsIsShown(t *testing.T) {
	s := open(t, "", nil)
	facts, err := service[*desktop.Models](s).Facts([]desktop.SavedModel{
		{Provider: "moonshot", Model: "kimi-k2.5"}, {BaseURL: s.baseURL, Model: "scripted"}, {Provider: "none", Model: "x"},
	})
	if err != nil || len(facts) != 3 {
		t.Fatalf("%+v, %v", facts, err)
	}
	if facts[0].Window != 262_144 || facts[0].Priced || !facts[1].Priced || facts[2] != (desktop.ModelFacts{}) {
		t.Errorf("%+v", facts)
	}
}
