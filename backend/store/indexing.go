package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"fairlead/backend/store/index"
)

// The search index lies beside the database and follows it: what a run said and did is added once it has
// ended, not while it is working. It can be behind or gone; then the rest is read from the database.

// indexName is the index's file in the data folder.
const indexName = "search.db"

// searchIndex is the index once it is open. It is read-locked while it is used.
type searchIndex struct {
	mu   sync.RWMutex
	open *index.Index
}

// useIndex does something with the index. One that is damaged is made anew, once.
func (s *Store) useIndex(ctx context.Context, do func(*index.Index) error) error {
	if s.readOnly {
		return errReadOnly
	}
	for again := true; ; again = false {
		err := s.withIndex(ctx, do)
		if !again || !index.IsDamage(err) {
			return err
		}
		if err := s.dropIndex(); err != nil {
			return err
		}
	}
}

// withIndex does something with the index, which is opened where it is not yet.
func (s *Store) withIndex(ctx context.Context, do func(*index.Index) error) error {
	s.index.mu.Lock()
	if s.index.open == nil {
		var err error
		if s.index.open, err = index.Open(ctx, s.indexPath()); err != nil {
			s.index.mu.Unlock()
			return err
		}
	}
	s.index.mu.Unlock()
	s.index.mu.RLock()
	defer s.index.mu.RUnlock()
	if s.index.open == nil {
		return errDropped
	}
	return do(s.index.open)
}

// errDropped says that the index was removed in this moment.
var errDropped = errors.New("the search index is being made anew")

func (s *Store) indexPath() string { return filepath.Join(s.folder, indexName) }

// dropIndex removes the index.
func (s *Store) dropIndex() error {
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	var err error
	if s.index.open != nil {
		err = s.index.open.Close()
		s.index.open = nil
	}
	return errors.Join(err, index.RemoveFile(s.indexPath()))
}

// RebuildIndex makes the search index anew.
func (s *Store) RebuildIndex(ctx context.Context) error {
	if s.readOnly {
		return errReadOnly
	}
	if err := s.dropIndex(); err != nil {
		return err
	}
	_, err := s.IndexNew(ctx, 0)
	return err
}

// indexed are the numbers of parts that may have a text, as index.Index.Find returns them.
func (s *Store) indexed(ctx context.Context, text string, below int64, most int) (numbers []int64, err error) {
	err = s.useIndex(ctx, func(x *index.Index) (err error) {
		numbers, err = x.Find(ctx, text, below, most)
		return err
	})
	return numbers, err
}

// pendingRuns are the runs that the index does not have, in order.
func (s *Store) pendingRuns(ctx context.Context) ([]pendingRun, error) {
	var until int64
	var after map[int64]string
	err := s.useIndex(ctx, func(x *index.Index) (err error) {
		// The numbers of runs that are gone are used again, if they were the last ones.
		for {
			last, err := x.Last(ctx)
			if err != nil {
				return err
			}
			there, err := s.isRun(ctx, last.Number, last.ID)
			if err != nil || there || last.ID == "" {
				break
			}
			if err := x.Remove(ctx, []string{last.ID}); err != nil {
				return err
			}
		}
		until, after, err = x.Done(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	runs, err := s.readRuns(ctx, until)
	if err != nil {
		return nil, err
	}
	pending := runs[:0]
	for _, run := range runs {
		if after[run.number] != run.ID {
			pending = append(pending, run)
		}
	}
	return pending, nil
}

// indexedAtOnce is how long the texts are that are added to the index in one transaction, in bytes.
const indexedAtOnce = 256 << 10

// IndexNew adds to the search index what has ended since, the oldest first, for some time; for as long as it takes
// where that is 0. It reports whether that is all.
func (s *Store) IndexNew(ctx context.Context, most time.Duration) (all bool, err error) {
	pending, err := s.pendingRuns(ctx)
	if err != nil {
		return false, err
	}
	began := time.Now()
	var groups []index.Group
	size, until := 0, int64(0)
	add := func() error {
		return s.useIndex(ctx, func(x *index.Index) error {
			if err := x.Add(ctx, groups); err != nil {
				return err
			}
			groups, size = nil, 0
			return x.SetDone(ctx, until)
		})
	}
	all, behind := true, false
	for i, run := range pending {
		if all = most == 0 || time.Since(began) < most; !all {
			break
		}
		if !run.ended {
			behind = true
			continue
		}
		texts, err := s.textsOf(ctx, run.ID)
		if err != nil {
			return false, err
		}
		for _, text := range texts {
			size += len(text.Content)
		}
		groups = append(groups, index.Group{Number: run.number, ID: run.ID, Texts: texts})
		if !behind {
			until = run.number
		}
		if size >= indexedAtOnce || i == len(pending)-1 {
			if err := add(); err != nil {
				return false, err
			}
		}
	}
	if len(groups) > 0 {
		err = add()
	}
	return all, err
}

// inRun says of messages that they are in a run; those of its session are found faster than its own.
const inRun = "m.session_id = (SELECT r.session_id FROM runs r WHERE r.id = ?1) AND m.run_id = ?1"

// textsOf are the texts of a run's parts.
func (s *Store) textsOf(ctx context.Context, runID string) (texts []index.Text, err error) {
	rows, err := s.reader.QueryContext(ctx, `SELECT p.rowid, p.body, m.synthetic FROM parts p JOIN messages m ON m.id = p.message_id
		WHERE `+inRun+` ORDER BY p.rowid`, runID)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one index.Text
		var body []byte
		var synthetic bool
		if err := rows.Scan(&one.Number, &body, &synthetic); err != nil {
			return nil, err
		}
		if _, one.Content = s.textOf(body, synthetic); one.Content != "" {
			texts = append(texts, one)
		}
	}
	return texts, rows.Err()
}

// forget takes those of some runs out of the index that are there no more. An index that cannot be changed is
// removed.
func (s *Store) forget(ctx context.Context, runs []Run) error {
	if _, err := os.Stat(s.indexPath()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var gone []string
	for _, run := range runs {
		_, err := s.Run(ctx, run.ID)
		switch {
		case errors.Is(err, ErrNotFound):
			gone = append(gone, run.ID)
		case err != nil:
			return err
		}
	}
	if s.useIndex(ctx, func(x *index.Index) error { return x.Remove(ctx, gone) }) == nil {
		return nil
	}
	return s.dropIndex()
}
