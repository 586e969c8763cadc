package models_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/models"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

const canary = "sk-canary-0123456789"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// opened is what a test opens models with.
type opened struct {
	*models.Models
	redactor *secret.Redactor
}

// open returns what opens models, with its log and its state in a folder of their own.
func open(t *testing.T) (opened, string) {
	t.Helper()
	// No test on Linux asks the keyring of the user.
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
	dir, redactor := t.TempDir(), &secret.Redactor{}
	log, closer, err := settings.OpenLog(dir, "info", redactor)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := closer.Close(); err != nil {
			t.Error(err)
		}
	})
	return opened{models.New(models.Options{State: dir, Keys: secret.NewKeys(), Redactor: redactor, Log: log}), redactor}, dir
}

func locate(t *testing.T, choice catalog.Choice) catalog.Endpoint {
	t.Helper()
	if choice.Model == "" {
		choice.Model = "any"
	}
	endpoint, err := catalog.Catalog{}.Locate(choice, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	return endpoint
}

// begin opens the model at an endpoint, as a conversation does.
func begin(m opened, endpoint catalog.Endpoint) error {
	_, err := m.Open(endpoint, true)
	return err
}
