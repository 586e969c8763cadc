package change_test

import (
	"testing"

	"fairlead/backend/change/changetest"
)

type entry = changetest.Entry

func snapshot(t *testing.T, folder string) map[string]entry {
	t.Helper()
	return changetest.Snapshot(t, folder)
}

func withoutTimes(all map[string]entry) map[string]entry { return changetest.WithoutTimes(all) }
