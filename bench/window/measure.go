// Package window measures Fairlead's window as people get it, on a display of its
// own, beside an empty window of the same library (bench/emptywindow).
package window

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairlead/backend/settings"
)

// Figures are what was measured of the window.
type Figures struct {
	// Paint is the time from the start of the program to its first frame with
	// content.
	Paint Pair[time.Duration]
	// Stream is the processor time, for each second of a long answer, of the thread
	// that runs the page; of the empty window where it appends the answer as plain text.
	Stream Pair[time.Duration]
	// Memory is what all processes of the window take, in bytes: after the guided
	// tour, and of the empty window.
	Memory Pair[int64]
	// Script is the size of the page's scripts in bytes, compressed.
	Script int64
}

// Programs are the windows to measure.
type Programs struct{ Empty, Fairlead string }

const (
	// starts is how often each window is opened for its start, tours for its memory, and
	// answers for the long answer.
	starts, tours, answers = 11, 3, 1
	// settled is how long a window is left alone before its memory is read: by then
	// the engine has given back what it no longer needs.
	settled = 10 * time.Second
	// shown is how long after an answer the page's time is read.
	shown = 2 * time.Second
)

// measurement is one that is running.
type measurement struct {
	desktop         *desktop
	screen          *screen
	hand            *hand
	empty, fairlead program
	// dir is where windows write.
	dir string
}

// Measure measures everything. root is the checkout, whose page is built, and dir
// an empty folder.
func Measure(ctx context.Context, root, dir string, programs Programs) (figures Figures, err error) {
	if figures.Script, err = scriptSize(filepath.Join(root, "frontend/dist")); err != nil {
		return figures, err
	}
	m := &measurement{
		empty: program{name: "the empty window", path: programs.Empty}, fairlead: program{name: "Fairlead", path: programs.Fairlead}, dir: dir,
	}
	if m.desktop, err = openDesktop(ctx, root); err != nil {
		return figures, err
	}
	defer func() { err = errors.Join(err, m.desktop.close()) }()
	if m.screen, err = openScreen(m.desktop.lookup("DISPLAY")); err != nil {
		return figures, err
	}
	defer m.screen.close()
	if m.hand, err = newHand(ctx, m.desktop, root); err != nil {
		return figures, err
	}
	defer func() { err = errors.Join(err, m.hand.close()) }()
	if figures.Paint, err = byTurns(ctx, starts, m.paintEmpty, m.paintFairlead); err != nil {
		return figures, err
	}
	if figures.Memory, err = byTurns(ctx, tours, m.memoryEmpty, m.memoryTour); err != nil {
		return figures, err
	}
	figures.Stream, err = byTurns(ctx, answers, m.streamPlainly, m.streamTask)
	return figures, err
}

// paintEmpty is the time from the start of the empty window to its first frame with
// content.
func (m *measurement) paintEmpty(ctx context.Context) (time.Duration, error) {
	return m.measurePaint(ctx, m.empty)
}

// paintFairlead is the same of Fairlead, with the folder and the model of the last
// time, as on every day but the first.
func (m *measurement) paintFairlead(ctx context.Context) (time.Duration, error) {
	const nobody = "http://127.0.0.1:9/v1"
	data, err := m.makeUsual(nobody)
	if err != nil {
		return 0, err
	}
	return m.measurePaint(ctx, m.fairlead.inFolder(data))
}

func (m *measurement) measurePaint(ctx context.Context, p program) (time.Duration, error) {
	o, err := p.open(ctx, m.desktop, m.screen)
	if err != nil {
		return 0, err
	}
	return o.paint, o.close()
}

// memoryEmpty is what the empty window takes.
func (m *measurement) memoryEmpty(ctx context.Context) (int64, error) {
	return m.measureMemory(ctx, m.empty, func(o *opened) error {
		// Assistive technology looks at this one too, because it costs memory.
		return m.hand.doWish(wish{Do: "find", Seconds: patience, PID: o.processID(), Has: "Empty"})
	})
}

// memoryTour is what Fairlead takes when the guided tour has ended.
func (m *measurement) memoryTour(ctx context.Context) (int64, error) {
	data, err := m.makeFolder("data")
	if err != nil {
		return 0, err
	}
	return m.measureMemory(ctx, m.fairlead.inFolder(data), func(o *opened) error {
		if err := m.hand.doWish(wish{Do: "press", Seconds: patience, PID: o.processID(), Role: "button", Name: "Guided tour"}); err != nil {
			return err
		}
		for range 2 { // it writes, then it runs a command
			// The button is there from the first moment, but takes nothing while the
			// question is new.
			if err := m.hand.doWish(wish{Do: "press", Seconds: patience, PID: o.processID(), Role: "button", Name: "Approve"}); err != nil {
				return err
			}
		}
		return m.hand.doWish(wish{Do: "find", Seconds: patience, PID: o.processID(), Role: "button", Name: "Copy the reply"})
	})
}

// measureMemory is what a window takes after something was done in it, once it is quiet.
func (m *measurement) measureMemory(ctx context.Context, p program, do func(*opened) error) (int64, error) {
	o, err := p.open(ctx, m.desktop, m.screen)
	if err != nil {
		return 0, err
	}
	err = do(o)
	if err == nil {
		err = wait(ctx, settled)
	}
	if err != nil {
		return 0, o.failedError(err)
	}
	size, err := familyMemory(o.processID())
	return size, errors.Join(err, o.close())
}

// streamPlainly is the time that the page's thread takes for each second of a long answer,
// where it is appended as plain text.
func (m *measurement) streamPlainly(ctx context.Context) (time.Duration, error) {
	return m.measureStream(ctx, func(url string) (program, error) {
		plain := m.empty
		plain.variables = []string{"EMPTYWINDOW_ANSWER=" + url + "/plain"}
		return plain, nil
	})
}

// streamTask is the same of Fairlead, where it is the answer to a task.
func (m *measurement) streamTask(ctx context.Context) (time.Duration, error) {
	return m.measureStream(ctx, func(url string) (program, error) {
		data, err := m.makeUsual(url + "/v1")
		return m.fairlead.inFolder(data), err
	})
}

// measureStream measures the answer in a program, which is told where that comes from.
func (m *measurement) measureStream(ctx context.Context, prepare func(url string) (program, error)) (used time.Duration, err error) {
	provider := serveStream(splitDeltas(longAnswer()))
	defer provider.Close()
	p, err := prepare(provider.URL)
	if err != nil {
		return 0, err
	}
	o, err := p.open(ctx, m.desktop, m.screen)
	if err != nil {
		return 0, err
	}
	used, err = m.followAnswer(ctx, o, provider)
	if err != nil {
		return 0, o.failedError(err)
	}
	return used, o.close()
}

// followAnswer begins the answer and measures until its end.
func (m *measurement) followAnswer(ctx context.Context, o *opened, provider *stream) (time.Duration, error) {
	page, err := pageProcess(o.processID())
	if err != nil {
		return 0, err
	}
	began, err := m.typeTask(ctx, o, provider)
	if err != nil {
		return 0, err
	}
	before, err := mainThread(page)
	if err != nil {
		return 0, err
	}
	var ended time.Time
	select {
	case ended = <-provider.ended:
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	// What is left to show counts as well.
	if err := wait(ctx, shown); err != nil {
		return 0, err
	}
	after, err := mainThread(page)
	if err != nil {
		return 0, err
	}
	// The page follows the answer to its end. It is asked only now, because it costs
	// the page's time to be looked at.
	seen := wish{Do: "find", Seconds: patience, PID: o.processID(), Has: answerEnd, States: []string{"showing"}}
	if err := m.hand.doWish(seen); err != nil {
		return 0, err
	}
	return time.Duration(float64(after-before) / ended.Sub(began).Seconds()), nil
}

// typeTask types a task until the answer begins: the first keys can come before the
// page takes any.
func (m *measurement) typeTask(ctx context.Context, o *opened, provider *stream) (time.Time, error) {
	const attempts, pause = 10, 2 * time.Second
	for range attempts {
		if err := typeLine(ctx, m.desktop, o.window, "Report on this folder."); err != nil {
			return time.Time{}, err
		}
		select {
		case began := <-provider.began:
			return began, nil
		case <-time.After(pause):
		case <-ctx.Done():
			return time.Time{}, context.Cause(ctx)
		}
	}
	return time.Time{}, errors.New("a task that is typed does not begin")
}

// patience is how long something may take that the window is to do, in seconds.
const patience = 30

func wait(ctx context.Context, long time.Duration) error {
	select {
	case <-time.After(long):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// makeFolder makes a new one.
func (m *measurement) makeFolder(name string) (string, error) {
	path, err := os.MkdirTemp(m.dir, name)
	if err != nil {
		return "", fmt.Errorf("make a folder for the window: %w", err)
	}
	return path, nil
}

// makeUsual makes a data folder as it is on every day but the first: folder and model
// are chosen.
func (m *measurement) makeUsual(baseURL string) (string, error) {
	workspace, err := m.makeFolder("workspace")
	if err != nil {
		return "", err
	}
	data, err := m.makeFolder("data")
	if err != nil {
		return "", err
	}
	state := settings.State{Model: settings.ModelChoice{BaseURL: baseURL, Model: modelName}}
	state.Opened(workspace)
	return data, state.Write(data)
}
