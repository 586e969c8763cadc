package index

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// A text is known by its grams, which begin at each of its characters: in Chinese, Japanese and Korean
// with the one that follows, elsewhere with the two that follow. So a text that stands in another
// one has no gram that the other has not.

// gramAt is how many characters the gram has that begins a text.
func gramAt(text []rune) int {
	if isCJK(text[0]) && isCJK(text[1]) {
		return 2
	}
	return 3
}

// isCJK reports whether a character is of a script with so many that two in a row are rare.
func isCJK(r rune) bool {
	return r >= firstCJK && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// firstCJK is before all of these but for a few letters of Korean.
const firstCJK = 0x2E80

// gramsOf are the grams of a text, each once, as words.
func gramsOf(text []rune) []string {
	var grams []string
	seen := map[string]bool{}
	for at := 0; at+Least <= len(text); at++ {
		end := at + gramAt(text[at:])
		if end > len(text) {
			continue
		}
		if one := wordOf(string(text[at:end])); !seen[one] {
			seen[one] = true
			grams = append(grams, one)
		}
	}
	return grams
}

// wordOf writes a gram so that FTS5 takes it for a word, whatever it consists of.
func wordOf(gram string) string { return hex.EncodeToString([]byte(gram)) }

// padding follows each text, so that every character of it but the last begins a gram.
const padding = '\x01'

// Fold is a text as it is compared: letters have no case. It has as many characters as before.
func Fold(text string) string { return strings.ToLower(text) }

// Find returns the numbers of texts, the highest first, in which a text may stand, which was folded and
// has Least characters or more: at most so many, all below a number.
func (x *Index) Find(ctx context.Context, text string, below int64, most int) (numbers []int64, err error) {
	match, err := x.match(ctx, text)
	if err != nil || match == "" {
		return nil, err
	}
	rows, err := x.db.QueryContext(ctx, "SELECT rowid FROM grams WHERE grams MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?", match, below, most)
	if err != nil {
		return nil, fmt.Errorf("search the index: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var number int64
		if err := rows.Scan(&number); err != nil {
			return nil, fmt.Errorf("search the index: %w", err)
		}
		numbers = append(numbers, number)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("search the index: %w", err)
	}
	return numbers, nil
}

// match is what FTS5 is asked for a text; empty where nothing has it.
func (x *Index) match(ctx context.Context, text string) (string, error) {
	runes := []rune(text)
	if len(runes) < Least {
		return "", nil
	}
	if grams := gramsOf(runes); len(grams) > 0 {
		return strings.Join(someOf(grams), " AND "), nil
	}
	// Two characters begin a gram, whatever follows them.
	terms, err := x.termsFrom(ctx, wordOf(text))
	return strings.Join(terms, " OR "), err
}

// mostGrams is how many grams of a text are looked up: more of them exclude little, and take long.
const mostGrams = 8

// someOf are some of the grams of a long text, from all over it.
func someOf(grams []string) []string {
	if len(grams) <= mostGrams {
		return grams
	}
	some := make([]string, mostGrams)
	for i := range some {
		some[i] = grams[i*(len(grams)-1)/(mostGrams-1)]
	}
	return some
}

// termsFrom are the words that begin with one.
func (x *Index) termsFrom(ctx context.Context, word string) (terms []string, err error) {
	rows, err := x.db.QueryContext(ctx, "SELECT term FROM terms WHERE term >= ? AND term < ?", word, word+"g")
	if err != nil {
		return nil, fmt.Errorf("search the index: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var term string
		if err := rows.Scan(&term); err != nil {
			return nil, fmt.Errorf("search the index: %w", err)
		}
		terms = append(terms, term)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("search the index: %w", err)
	}
	return terms, nil
}

// Add adds groups with their texts. One that is there stays; one whose number another one had
// takes its place.
func (x *Index) Add(ctx context.Context, groups []Group) error {
	return x.change(ctx, "add to", func(tx *sql.Tx) error {
		for _, group := range groups {
			if err := add(ctx, tx, group); err != nil {
				return err
			}
		}
		return nil
	})
}

func add(ctx context.Context, tx *sql.Tx, group Group) error {
	var id string
	err := tx.QueryRowContext(ctx, "SELECT id FROM groups WHERE number = ?", group.Number).Scan(&id)
	switch {
	case err == nil && id == group.ID:
		return nil
	case err == nil:
		err = remove(ctx, tx, group.Number)
	case errors.Is(err, sql.ErrNoRows):
		err = nil
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO groups (number, id) VALUES (?, ?)", group.Number, group.ID)
	}
	for _, text := range group.Texts {
		if err == nil {
			err = addText(ctx, tx, group.Number, text)
		}
	}
	return err
}

func addText(ctx context.Context, tx *sql.Tx, group int64, text Text) error {
	var other int64
	err := tx.QueryRowContext(ctx, "SELECT of_group FROM texts WHERE number = ?", text.Number).Scan(&other)
	switch {
	case err == nil:
		err = remove(ctx, tx, other) // it is gone, and its number is another text's
	case errors.Is(err, sql.ErrNoRows):
		err = nil
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO texts (number, of_group) VALUES (?, ?)", text.Number, group)
	}
	if err == nil {
		grams := gramsOf(append([]rune(Fold(text.Content)), padding))
		_, err = tx.ExecContext(ctx, "INSERT INTO grams (rowid, content) VALUES (?, ?)", text.Number, strings.Join(grams, " "))
	}
	return err
}

// Remove removes groups.
func (x *Index) Remove(ctx context.Context, ids []string) error {
	return x.change(ctx, "remove from", func(tx *sql.Tx) error {
		for _, id := range ids {
			var number int64
			err := tx.QueryRowContext(ctx, "SELECT number FROM groups WHERE id = ?", id).Scan(&number)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err == nil {
				err = remove(ctx, tx, number)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// remove removes a group with its texts.
func remove(ctx context.Context, tx *sql.Tx, number int64) error {
	for _, statement := range []string{
		"DELETE FROM grams WHERE rowid IN (SELECT number FROM texts WHERE of_group = ?1)",
		"DELETE FROM texts WHERE of_group = ?1",
		"DELETE FROM groups WHERE number = ?1",
		// Its number may be that of another one soon.
		"UPDATE done SET until = min(until, (SELECT coalesce(max(number), 0) FROM groups WHERE number <> ?1))",
	} {
		if _, err := tx.ExecContext(ctx, statement, number); err != nil {
			return err
		}
	}
	return nil
}

// change does something in one transaction.
func (x *Index) change(ctx context.Context, what string, do func(*sql.Tx) error) error {
	tx, err := x.db.BeginTx(ctx, nil)
	if err == nil {
		if err = do(tx); err == nil {
			err = tx.Commit()
		} else {
			_ = tx.Rollback() // what failed before says why
		}
	}
	if err != nil {
		return fmt.Errorf("%s the search index: %w", what, err)
	}
	return nil
}
