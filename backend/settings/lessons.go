package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// LessonsFile is the name, inside the state folder, of what the refusals of providers
	// have taught of how their models want to be asked.
	LessonsFile = "lessons.json"
	// lessonsVersion is the only layout of it that exists.
	lessonsVersion = 1
	// maxLessons is how many lessons are remembered.
	maxLessons = 500
	// maxLesson is the longest name of a lesson, in bytes.
	maxLesson = 100
	// lessonLife is how long a lesson is believed: what a model takes may change.
	lessonLife = 30 * 24 * time.Hour
)

// Lessons are what refusals have taught. The zero Lessons are none.
type Lessons struct {
	// learned are the newest first.
	learned []Lesson
}

// Lesson is one thing that a refusal has taught.
type Lesson struct {
	BaseURL string `json:"baseUrl"`
	Model   string `json:"model"`
	// Name is what was learned, such as no_temperature.
	Name string `json:"lesson"`
	// Learned is when.
	Learned time.Time `json:"learned"`
}

// lessonsJSON is the file.
type lessonsJSON struct {
	Version int      `json:"version"`
	Lessons []Lesson `json:"lessons"`
}

// About returns what is known of a model at a moment, the newest first.
func (l Lessons) About(baseURL, model string, now time.Time) []Lesson {
	var all []Lesson
	for _, each := range l.learned {
		if each.BaseURL == baseURL && each.Model == model && now.Sub(each.Learned) < lessonLife {
			all = append(all, each)
		}
	}
	return all
}

// ReadLessons reads what was learned from the state folder. A file with any fault gives
// the zero Lessons and a *StateError, and is set aside, as by ReadState.
func ReadLessons(folder string) (Lessons, error) {
	return readState(filepath.Join(folder, LessonsFile), parseLessons)
}

// LearnLesson keeps in the state folder what a refusal has taught of a model, in place of
// what was known of the same kind: names with a space have their kind before it. Where a
// broken file was in the way, it is learned all the same, and the *StateError says what
// became of that file.
func LearnLesson(folder, baseURL, model, lesson string, now time.Time) error {
	kind, _, several := strings.Cut(lesson, " ")
	added := Lesson{BaseURL: baseURL, Model: model, Name: lesson, Learned: now.UTC().Truncate(time.Second)}
	if err := added.check(); err != nil {
		return err
	}
	return changeLessons(folder, func(learned []Lesson) []Lesson {
		learned = slices.DeleteFunc(learned, func(old Lesson) bool {
			same := old.Name == lesson || several && strings.HasPrefix(old.Name, kind+" ")
			return same && old.BaseURL == baseURL && old.Model == model
		})
		return slices.Insert(learned, 0, added)
	})
}

// ForgetLessons removes from the state folder what was learned of a model.
func ForgetLessons(folder, baseURL, model string) error {
	return changeLessons(folder, func(learned []Lesson) []Lesson {
		return slices.DeleteFunc(learned, func(old Lesson) bool { return old.BaseURL == baseURL && old.Model == model })
	})
}

// changeLessons changes what is remembered.
func changeLessons(folder string, change func([]Lesson) []Lesson) error {
	learning.Lock()
	defer learning.Unlock()
	lessons, fault := ReadLessons(folder)
	changed := change(slices.Clone(lessons.learned))
	file := lessonsJSON{Version: lessonsVersion, Lessons: changed[:min(len(changed), maxLessons)]}
	if err := writeState(folder, LessonsFile, file); err != nil {
		return fmt.Errorf("remember what refusals have taught: %w", err)
	}
	return fault
}

func (l Lesson) check() error {
	if l.Name == "" || len(l.Name) > maxLesson {
		return errors.New("a lesson must have a name of at most 100 bytes")
	}
	return nil
}

func parseLessons(content []byte) (Lessons, error) {
	var file lessonsJSON
	if err := json.Unmarshal(content, &file); err != nil {
		return Lessons{}, err
	}
	if file.Version != lessonsVersion {
		return Lessons{}, fmt.Errorf("version must be %d: this Fairlead knows no other", lessonsVersion)
	}
	for _, each := range file.Lessons {
		if err := each.check(); err != nil {
			return Lessons{}, err
		}
	}
	return Lessons{learned: file.Lessons[:min(len(file.Lessons), maxLessons)]}, nil
}
