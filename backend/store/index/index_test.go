package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func openAt(t *testing.T, path string) *Index {
	t.Helper()
	x, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func openNew(t *testing.T) *Index {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "search.db"))
}

func put(t *testing.T, x *Index, groups ...Group) {
	t.Helper()
	if err := x.Add(t.Context(), groups); err != nil {
		t.Fatal(err)
	}
}

// find looks for a text as a user does.
func find(t *testing.T, x *Index, text string) []int64 {
	t.Helper()
	numbers, err := x.Find(t.Context(), Fold(text), 1<<62, 1<<30)
	if err != nil {
		t.Fatalf("find %q: %v", text, err)
	}
	return numbers
}

func TestFIND01_ATextIsFoundByAnyPartOfIt(t *testing.T) {
	x := openNew(t)
	for i, content := range []string{
		"Fix the date parser", "租赁合同 第二版", "a\"b OR c* NEAR(x)", "ÄRGER in Zürich", "go", "ends with go", "中a文", "日本語とカナ 한국어", "x\x00y", "...",
	} {
		put(t, x, Group{int64(i + 1), fmt.Sprint(i), []Text{{int64(i + 1), content}}})
	}
	for text, want := range map[string][]int64{
		"date": {1}, "DATE PAR": {1}, "租赁": {2}, "赁合同": {2}, "同 第": {2}, "同 ": {2}, "二版": {2}, "\"b OR": {3}, "c* NEAR(": {3}, "ärger": {4}, "zürich": {4},
		"go": {6, 5}, "h go": {6}, "中a": {7}, "a文": {7}, "カナ": {8}, "한국": {8}, "語と": {8}, "x\x00y": {9}, "..": {10}, "zz": nil, "合租": nil, "中文": nil, "dateparser": nil,
	} {
		if got := find(t, x, text); !slices.Equal(got, want) {
			t.Errorf("%q is found in %v, want %v", text, got, want)
		}
	}
	if got, err := x.Find(t.Context(), "go", 6, 10); err != nil || !slices.Equal(got, []int64{5}) {
		t.Errorf("below 6 it is found in %v, %v", got, err)
	}
	if got, err := x.Find(t.Context(), "go", 1<<62, 1); err != nil || !slices.Equal(got, []int64{6}) {
		t.Errorf("the first is %v, %v", got, err)
	}
}

// TestFIND01_WhatIsThereIsFound compares what is found with all that was added.
func TestFIND01_WhatIsThereIsFound(t *testing.T) {
	x := openNew(t)
	r := rand.New(rand.NewPCG(1, uint64(os.Getpid())))
	letters := []rune("abcABC 中文字合同 é\"*.-ıİßſ\x01")
	word := func(most int) string {
		text := make([]rune, 1+r.IntN(most))
		for i := range text {
			text[i] = letters[r.IntN(len(letters))]
		}
		return string(text)
	}
	texts := map[int64]string{}
	for g := range int64(60) {
		group := Group{Number: g + 1, ID: fmt.Sprint(g)}
		for i := range int64(r.IntN(5)) {
			texts[g*5+i] = word(40)
			group.Texts = append(group.Texts, Text{g*5 + i, texts[g*5+i]})
		}
		put(t, x, group)
		if r.IntN(6) == 0 {
			if err := x.Remove(t.Context(), []string{group.ID}); err != nil {
				t.Fatal(err)
			}
			for _, text := range group.Texts {
				delete(texts, text.Number)
			}
		}
	}
	for range 1000 {
		wanted := word(6)
		if len([]rune(wanted)) < Least {
			continue
		}
		found := find(t, x, wanted)
		for number, text := range texts {
			if strings.Contains(Fold(text), Fold(wanted)) && !slices.Contains(found, number) {
				t.Fatalf("%q is not found in %q (seed %d)", wanted, text, os.Getpid())
			}
		}
		for _, number := range found {
			if _, there := texts[number]; !there {
				t.Fatalf("%q is found in %d, which is gone", wanted, number)
			}
		}
	}
}

func TestFIND01_ANumberCanBeUsedAgain(t *testing.T) {
	x := openNew(t)
	put(t, x, Group{1, "a", []Text{{1, "apple"}}}, Group{2, "b", []Text{{2, "banana"}, {3, "cherry"}}})
	put(t, x, Group{2, "b", []Text{{9, "never added"}}}) // it is there
	put(t, x, Group{2, "c", []Text{{2, "citrus"}}})      // b is gone
	put(t, x, Group{3, "d", []Text{{1, "date"}}})        // and so is what text 1 was in
	for text, want := range map[string][]int64{"apple": nil, "banana": nil, "cherry": nil, "never": nil, "citrus": {2}, "date": {1}} {
		if got := find(t, x, text); !slices.Equal(got, want) {
			t.Errorf("%q is found in %v, want %v", text, got, want)
		}
	}
}

func TestFIND01_TheIndexKnowsWhatItHas(t *testing.T) {
	x := openNew(t)
	want := func(wantLast Group, wantUntil int64, wantAfter map[int64]string) {
		t.Helper()
		last, err := x.Last(t.Context())
		until, after, err2 := x.Done(t.Context())
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(wantLast, last) + cmp.Diff(wantAfter, after); diff != "" || until != wantUntil {
			t.Errorf("until %d, want %d; (- want, + is) %s", until, wantUntil, diff)
		}
	}
	done := func(until int64) {
		t.Helper()
		if err := x.SetDone(t.Context(), until); err != nil {
			t.Fatal(err)
		}
	}
	want(Group{}, 0, map[int64]string{})
	put(t, x, Group{Number: 1, ID: "a"}, Group{Number: 3, ID: "c"}, Group{Number: 4, ID: "d"})
	done(1)
	want(Group{Number: 4, ID: "d"}, 1, map[int64]string{3: "c", 4: "d"})
	done(0) // nothing is forgotten
	want(Group{Number: 4, ID: "d"}, 1, map[int64]string{3: "c", 4: "d"})
	done(100) // the next one has the number 5
	want(Group{Number: 4, ID: "d"}, 4, map[int64]string{})
	if err := x.Remove(t.Context(), []string{"d", "unknown"}); err != nil {
		t.Fatal(err)
	}
	want(Group{Number: 3, ID: "c"}, 3, map[int64]string{}) // and now 4
}

func TestFIND01_AnIndexThatCannotBeUsedIsMadeAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "search.db")
	for name, spoil := range map[string]func() error{
		"no database": func() error { return os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600) },
		"another version": func() error {
			x := openAt(t, path)
			_, err := x.db.ExecContext(t.Context(), "PRAGMA user_version = 99")
			return errors.Join(err, x.Close())
		},
		"nothing": func() error { return os.Truncate(path, 0) },
	} {
		x := openAt(t, path)
		put(t, x, Group{1, name, []Text{{1, "apple"}}})
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		x = openAt(t, path)
		if got := find(t, x, "apple"); len(got) != 0 {
			t.Errorf("%s: the old one is there: %v", name, got)
		}
		put(t, x, Group{1, name, []Text{{1, "apple"}}})
		if got := find(t, x, "apple"); len(got) != 1 {
			t.Errorf("%s: it finds %v", name, got)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		if err := RemoveFile(path); err != nil {
			t.Fatal(err)
		}
	}
}

// openTwice opens an index as two processes do at once, and gives each to do.
func openTwice(t *testing.T, path string, do func(*Index)) {
	t.Helper()
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			x, err := Open(context.Background(), path)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = x.Close() }()
			do(x)
		})
	}
	both.Wait()
}

func TestFIND01_TwoProcessesAddTheSame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "search.db")
	openTwice(t, path, func(x *Index) {
		for g := range int64(20) {
			if err := x.Add(context.Background(), []Group{{g, fmt.Sprint(g), []Text{{g, "apple"}}}}); err != nil {
				t.Error(err)
			}
		}
	})
	if got := find(t, openAt(t, path), "apple"); len(got) != 20 {
		t.Errorf("it is found in %v", got)
	}
}

func TestFIND01_TwoProcessesMakeTheIndex(t *testing.T) {
	for range 50 {
		openTwice(t, filepath.Join(t.TempDir(), "search.db"), func(*Index) {})
	}
}
