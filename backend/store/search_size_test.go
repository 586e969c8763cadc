package store

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/store/index"
)

// tongue makes texts of words as people use them: few of them often (Zipf's law).
type tongue struct {
	words []string
	pick  *rand.Zipf
	space string
}

func newTongue(r *rand.Rand, words int, space string, word func() string) *tongue {
	t := &tongue{space: space}
	for range words {
		t.words = append(t.words, word())
	}
	t.pick = rand.NewZipf(r, 1.05, 3, uint64(words-1))
	return t
}

func (t *tongue) text(words int) string {
	all := make([]string, words)
	for i := range all {
		all[i] = t.words[t.pick.Uint64()]
	}
	return strings.Join(all, t.space)
}

// fillStore adds conversations of texts, half of them Chinese, and returns the texts by their parts.
func fillStore(t *testing.T, s *Store, parts int) map[string]string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	english := newTongue(r, 8000, " ", func() string {
		word := make([]byte, 2+r.IntN(9))
		for i := range word {
			word[i] = "etaoinshrdlcumwfgypbvk"[int(22*r.Float64()*r.Float64())]
		}
		return string(word)
	})
	chinese := newTongue(r, 8000, "", func() string { return string([]rune{rune(0x4e00 + r.IntN(2500)), rune(0x4e00 + r.IntN(2500))}) })
	tx, err := s.writer.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	do := func(statement string, values ...any) {
		t.Helper()
		if _, err := tx.ExecContext(t.Context(), statement, values...); err != nil {
			t.Fatal(err)
		}
	}
	texts := map[string]string{}
	const perRun = 20
	for run := range parts / perRun {
		id := fmt.Sprintf("r%d", run)
		do("INSERT INTO sessions (id, workspace, title, titled_by, created_at, updated_at) VALUES (?, '/work', ?, 'words', 0, ?)", id, english.text(5), run)
		do("INSERT INTO runs (id, session_id, number, started_at, ended_at, reason) VALUES (?, ?, 1, 0, 1, 'completed')", id, id)
		for i := range perRun {
			part := message.Part{ID: fmt.Sprintf("%s-%d", id, i), Type: message.TextPart, Text: english.text(70)}
			if i%2 == 0 {
				part.Text = chinese.text(80)
			}
			texts[part.ID] = index.Fold(part.Text)
			body, err := json.Marshal(part)
			if err != nil {
				t.Fatal(err)
			}
			do("INSERT INTO messages (id, session_id, run_id, number, role, name, synthetic, created_at) VALUES (?, ?, ?, ?, 'user', '', 0, 0)", part.ID, id, id, i+1)
			do("INSERT INTO parts (id, message_id, number, body) VALUES (?, ?, 1, ?)", part.ID, part.ID, body)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestFIND01_SoakManyPartsAreSearched searches 5,000 parts, in its soak size 100,000, where on an idle machine an
// answer takes 50 ms, and 100 ms for two Chinese characters.
func TestFIND01_SoakManyPartsAreSearched(t *testing.T) {
	parts, slack := 5000, time.Duration(10) // beside other tests
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		parts, slack = 100_000, 1
	}
	folder := t.TempDir()
	s := openSearched(t, folder)
	texts := fillStore(t, s, parts)
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	began := time.Now()
	indexNew(t, s)
	t.Logf("%d parts with %d KiB are indexed in %v", parts, size>>10, time.Since(began))
	if err := s.useIndex(t.Context(), (*index.Index).Close); err != nil {
		t.Fatal(err)
	}
	s.index.open = nil
	info, err := os.Stat(filepath.Join(folder, indexName))
	if err != nil {
		t.Fatal(err)
	}
	if ratio := float64(info.Size()) / float64(size); ratio > 1.5 {
		t.Errorf("the index is %.2f times the text", ratio)
	} else {
		t.Logf("the index is %.2f times the text", ratio)
	}
	words := strings.Fields(texts["r1-1"])
	runes := []rune(texts["r1-0"])
	for _, query := range []struct {
		text string
		most time.Duration
	}{
		{words[3], 50},
		{words[3] + " " + words[4], 50},
		{words[10] + " " + words[11] + " " + words[12], 50},
		{"qqqqq", 50},
		{string(runes[10:13]), 50},
		{string(runes[20:26]), 50},
		{string(runes[10:12]), 100},
		{string(runes[21:23]), 100},
		{string([]rune{runes[0], runes[5]}), 100},
	} {
		began := time.Now()
		found, err := s.Search(t.Context(), Query{Text: query.text, Most: 50})
		took := time.Since(began)
		if err != nil {
			t.Fatal(err)
		}
		if took > query.most*time.Millisecond*slack {
			t.Errorf("%q takes %v, want %d ms", query.text, took, query.most)
		}
		all := search(t, s, query.text)
		var want []string
		for id, text := range texts {
			if strings.Contains(text, query.text) {
				want = append(want, id)
			}
		}
		if len(want) <= mostSearched && len(all) != len(want) {
			t.Errorf("%q is found %d times, and is there %d times", query.text, len(all), len(want))
		}
		for _, id := range all {
			if !slices.Contains(want, id) {
				t.Errorf("%q is found in %q", query.text, texts[id])
			}
		}
		t.Logf("%q: %d of %d in %v", query.text, len(found.Passages), len(want), took)
	}
}
