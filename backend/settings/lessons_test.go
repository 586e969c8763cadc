package settings_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/settings"
)

// monday is when a test learns.
var monday = time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)

func learnLesson(t *testing.T, folder, model, lesson string, at time.Time) {
	t.Helper()
	if err := settings.LearnLesson(folder, here, model, lesson, at); err != nil {
		t.Fatal(err)
	}
}

// lessonsOf are the names of what is known of a model, the newest first.
func lessonsOf(t *testing.T, folder, model string, now time.Time) []string {
	t.Helper()
	lessons, err := settings.ReadLessons(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, each := range lessons.About(here, model, now) {
		names = append(names, each.Name)
	}
	return names
}

func TestMOD05_LessonsAreRememberedByModelForAMonth(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "state")
	learnLesson(t, folder, "m", "no_temperature", monday)
	learnLesson(t, folder, "m", "efforts low,high", monday)
	learnLesson(t, folder, "m", "protocol responses", monday.AddDate(0, 0, 2))
	learnLesson(t, folder, "n", "no_temperature", monday)
	for _, test := range []struct {
		model string
		now   time.Time
		want  []string
	}{
		{"m", monday.AddDate(0, 0, 3), []string{"protocol responses", "efforts low,high", "no_temperature"}},
		{"n", monday, []string{"no_temperature"}},
		{"other", monday, nil},
		{"m", monday.AddDate(0, 0, 31), []string{"protocol responses"}},
		{"m", monday.AddDate(0, 0, 40), nil},
	} {
		if diff := cmp.Diff(test.want, lessonsOf(t, folder, test.model, test.now)); diff != "" {
			t.Errorf("%s at %s: %s", test.model, test.now, diff)
		}
	}
}

func TestMOD05_ALessonTakesThePlaceOfOneOfItsKind(t *testing.T) {
	folder := t.TempDir()
	learnLesson(t, folder, "m", "protocol responses", monday)
	learnLesson(t, folder, "m", "no_store", monday)
	learnLesson(t, folder, "m", "protocol chat", monday)
	learnLesson(t, folder, "m", "no_store", monday.AddDate(0, 0, 1))
	if diff := cmp.Diff([]string{"no_store", "protocol chat"}, lessonsOf(t, folder, "m", monday)); diff != "" {
		t.Error(diff)
	}
}

func TestMOD05_LessonsOfAModelAreForgotten(t *testing.T) {
	folder := t.TempDir()
	learnLesson(t, folder, "m", "no_store", monday)
	learnLesson(t, folder, "n", "no_store", monday)
	if err := settings.ForgetLessons(folder, here, "m"); err != nil {
		t.Fatal(err)
	}
	if m, n := lessonsOf(t, folder, "m", monday), lessonsOf(t, folder, "n", monday); len(m) != 0 || len(n) != 1 {
		t.Errorf("left: %v, %v", m, n)
	}
}

func TestTheNewestLessonsAreKept(t *testing.T) {
	folder := t.TempDir()
	for i := range 501 {
		learnLesson(t, folder, fmt.Sprint(i), "no_store", monday)
	}
	if oldest, next := lessonsOf(t, folder, "0", monday), lessonsOf(t, folder, "1", monday); len(oldest) != 0 || len(next) != 1 {
		t.Errorf("of the oldest %v, of the next %v", oldest, next)
	}
}

func TestLessonsThatCannotBeReadAreSetAside(t *testing.T) {
	for name, content := range map[string]string{
		"no JSON":         `{"version": 1, "lessons": [`,
		"another version": `{"version": 2, "lessons": []}`,
		"no name":         `{"version": 1, "lessons": [{"baseUrl": "x", "model": "m", "lesson": ""}]}`,
		"a long name":     `{"version": 1, "lessons": [{"baseUrl": "x", "model": "m", "lesson": "` + strings.Repeat("x", 101) + `"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, settings.LessonsFile)
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			err := settings.LearnLesson(folder, here, "m", "no_store", monday)
			fault, ok := errors.AsType[*settings.StateError](err)
			if !ok || fault.Path != path || fault.Aside != path+".broken" {
				t.Fatalf("error %v", err)
			}
			if got := lessonsOf(t, folder, "m", monday); len(got) != 1 {
				t.Errorf("learned %v", got)
			}
		})
	}
	if err := settings.LearnLesson(t.TempDir(), here, "m", "", monday); err == nil {
		t.Error("a lesson without a name was learned")
	}
}
