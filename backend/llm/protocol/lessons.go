package protocol

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	"fairlead/backend/llm"
)

// Lesson is what a refusal teaches of how requests are written. Providers name the field
// that they refuse.
type Lesson[S comparable] struct {
	// Name is what the lesson is remembered by.
	Name string
	// Words must all be in the refusal, in lower case, and one of the others, where there
	// are others.
	Words, OneOf []string
	// Teach changes how requests are written.
	Teach func(*S)
}

// Refused are words by which a field is refused.
var Refused = []string{
	"unsupported", "not supported", "does not support", "unrecognized", "unknown", "unexpected", "extra inputs",
	"not permitted", "not allowed", "extra fields", "invalid",
}

// fitsRefusal reports whether a refusal is the one to learn from.
func (l Lesson[S]) fitsRefusal(said string) bool {
	contains := func(word string) bool { return strings.Contains(said, word) }
	for _, word := range l.Words {
		if !contains(word) {
			return false
		}
	}
	return len(l.OneOf) == 0 || slices.ContainsFunc(l.OneOf, contains)
}

// Learner is how the requests of a client are written, with what refusals have taught. It
// is safe for concurrent use.
type Learner[S comparable] struct {
	lessons []Lesson[S]
	// teachEfforts tells how requests are written of the efforts that a model takes.
	teachEfforts func(*S, llm.Efforts)
	remember     func(lesson string)

	mu      sync.Mutex
	how     S
	learned map[string]bool
}

// NewLearner returns how requests are written at first: as asked, with the lessons that
// the configuration remembers. Lessons are tried in order; the first that changes something
// is learned.
func NewLearner[S comparable](how S, lessons []Lesson[S], teachEfforts func(*S, llm.Efforts), config Config) *Learner[S] {
	l := &Learner[S]{lessons: lessons, teachEfforts: teachEfforts, remember: config.Learned, how: how, learned: map[string]bool{}}
	for _, name := range config.Lessons {
		l.recall(name)
	}
	return l
}

// Current is how requests are written now.
func (l *Learner[S]) Current() S {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.how
}

// LearnFrom reports whether a request that failed is to be sent again in another way.
// Nothing is learned twice: no two lessons can undo each other for ever.
func (l *Learner[S]) LearnFrom(sent S, err error) bool {
	failure, ok := errors.AsType[*llm.Error](err)
	if !ok || failure.Class != llm.BadRequest ||
		failure.Status != http.StatusBadRequest && failure.Status != http.StatusUnprocessableEntity {
		return false
	}
	name, again := l.learn(sent, strings.ToLower(failure.Message))
	if name != "" && l.remember != nil {
		l.remember(name)
	}
	return again
}

// learn takes a lesson from a refusal, and returns its name.
func (l *Learner[S]) learn(sent S, said string) (name string, again bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if efforts := allowedEfforts(said); efforts != 0 && !l.learned[effortsLesson] {
		l.learned[effortsLesson] = true
		before := l.how
		if l.teachEfforts(&l.how, efforts); l.how != before {
			return effortsLesson + efforts.String(), true
		}
	}
	for _, lesson := range l.lessons {
		if l.learned[lesson.Name] || !lesson.fitsRefusal(said) {
			continue
		}
		before := l.how
		if lesson.Teach(&l.how); l.how != before {
			l.learned[lesson.Name] = true
			return lesson.Name, true
		}
	}
	return "", l.how != sent // another run learned it meanwhile
}

// recall applies a lesson that is remembered.
func (l *Learner[S]) recall(name string) {
	if list, ok := strings.CutPrefix(name, effortsLesson); ok {
		if efforts := llm.ParseEfforts(list); efforts != 0 {
			l.teachEfforts(&l.how, efforts)
		}
		return
	}
	for _, lesson := range l.lessons {
		if lesson.Name == name {
			lesson.Teach(&l.how)
			l.learned[name] = true
		}
	}
}

// effortsLesson begins the name of what a list of efforts teaches.
const effortsLesson = "efforts "

// effortLists are how a refusal begins to list the efforts that a model takes.
var effortLists = []string{
	"supported values are", "supported values:", "must be one of", "expected one of", "should be one of", "valid values are",
	"allowed values", "available values", "always thinks", "one of",
}

// allowedEfforts returns the efforts that a refusal in lower case lists; 0 for none.
func allowedEfforts(said string) llm.Efforts {
	if !strings.Contains(said, "effort") && !strings.Contains(said, "think") {
		return 0
	}
	for _, begin := range effortLists {
		_, list, found := strings.Cut(said, begin)
		if !found {
			continue
		}
		if efforts := llm.ParseEfforts(list); efforts != 0 {
			return efforts
		}
	}
	return 0
}
