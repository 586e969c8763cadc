package memory_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"fairlead/backend/memory"
	"fairlead/backend/message"
)

const (
	folder = "/home/ada/project"
	// inUse is a key that the redactor knows.
	inUse = "correct-horse-battery"
)

var day = time.Date(2026, time.November, 29, 23, 59, 0, 0, time.UTC)

func redact(text string) string { return strings.ReplaceAll(text, inUse, "[redacted key]") }

func open(t *testing.T) *memory.Memory {
	t.Helper()
	return memory.Open(filepath.Join(t.TempDir(), "data"), folder, redact)
}

// add adds a text, which must succeed.
func add(t *testing.T, m *memory.Memory, text string) {
	t.Helper()
	entry, err := m.NewEntry(text, day)
	if err != nil {
		t.Fatal(err)
	}
	if added, err := m.Add(t.Context(), entry); err != nil || !added {
		t.Fatalf("add %q: %v, %v", text, added, err)
	}
}

// want checks what is noted.
func want(t *testing.T, m *memory.Memory, text string) memory.Notes {
	t.Helper()
	notes, err := m.Read()
	if err != nil || notes.Text != text {
		t.Errorf("noted is %q, %v; want %q", notes.Text, err, text)
	}
	return notes
}

// put writes the file as an editor would.
func put(t *testing.T, m *memory.Memory, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.Path()), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.Path(), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func refusal(err error) message.RefusalCode {
	refused, ok := errors.AsType[*message.Refusal](err)
	if !ok {
		return ""
	}
	return refused.Code
}

func TestEXT06_EntriesAreAddedWithTheirDay(t *testing.T) {
	m := open(t)
	if notes := want(t, m, ""); notes.Version != "" || notes.Prompt() != "" {
		t.Errorf("without a file: %+v", notes)
	}
	add(t, m, "tests run with `make check`")
	first := want(t, m, "- 2026-11-29: tests run with `make check`\n")
	put(t, m, "# Mine\r\n\r\nby hand, no line end")
	add(t, m, "second")
	second := want(t, m, "# Mine\r\n\r\nby hand, no line end\n- 2026-11-29: second\n")
	if first.Version == "" || first.Version == second.Version {
		t.Errorf("versions %q and %q", first.Version, second.Version)
	}
	// The same is noted once, whatever the day.
	entry, err := m.NewEntry("second", day.AddDate(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	if added, err := m.Add(t.Context(), entry); added || err != nil {
		t.Errorf("noted twice: %v, %v", added, err)
	}
	want(t, m, second.Text)
	if info, err := os.Stat(m.Path()); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(filepath.Dir(m.Path())); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("its folder has mode %v, %v", info.Mode(), err)
	}
}

func TestEXT06_EachFolderHasAMemoryOfItsOwn(t *testing.T) {
	data := t.TempDir()
	one, other := memory.Open(data, folder, redact), memory.Open(data, folder+"2", redact)
	add(t, one, "one")
	want(t, other, "")
	want(t, memory.Open(data, folder, redact), "- 2026-11-29: one\n")
}

func TestEXT06_AnEntryIsOneVisibleParagraph(t *testing.T) {
	m := open(t)
	for text, line := range map[string]string{
		" a\r\nb\n\n\tc  d ":            "a b c d",
		"é目😀":                           "é目😀",
		"safe\u202e evil\u200b \x1b[2J": `safe\u{202e} evil\u{200b} \u{1b}[2J`,
		"bad \xff byte":                 "bad \ufffd byte",
		strings.Repeat("目", 1000):       strings.Repeat("目", 1000),
		"# - 2026-01-01: nested":        "# - 2026-01-01: nested",
	} {
		if entry, err := m.NewEntry(text, day); err != nil || entry != "- 2026-11-29: "+line {
			t.Errorf("%q became %q, %v", text, entry, err)
		}
	}
	for _, text := range []string{"", " \r\n\t", strings.Repeat("x", 1001), strings.Repeat("\u200b", 200)} {
		if entry, err := m.NewEntry(text, day); refusal(err) != message.InvalidParams {
			t.Errorf("%.20q became %.40q, %v", text, entry, err)
		}
	}
}

// secrets are texts with keys.
var secrets = []string{
	"the key is " + inUse,
	"the key is sk-ant-api03-" + strings.Repeat("aB3dE6gH9", 10),
	"push with ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36],
	"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\n-----END PRIVATE KEY-----",
	"https://ada:hunter2hunter2@db.example.com/x",
}

func TestEXT06_NoKeyGetsIntoTheFile(t *testing.T) {
	m := open(t)
	add(t, m, "before")
	before := want(t, m, "- 2026-11-29: before\n")
	for _, text := range secrets {
		if entry, err := m.NewEntry(text, day); refusal(err) != message.InvalidParams || strings.Contains(err.Error(), text) {
			t.Errorf("%q became %q, %v", text, entry, err)
		}
		if _, err := m.Replace(t.Context(), "x\n"+text+"\n", before.Version); refusal(err) != message.InvalidParams {
			t.Errorf("%q was saved: %v", text, err)
		}
		// What was written with an editor does not reach the model.
		put(t, m, "one\n"+text+"\n")
		if notes, err := m.Read(); err != nil || !strings.Contains(text, inUse) && strings.Contains(notes.Prompt(), text) {
			t.Errorf("the prompt has %q, %v", notes.Prompt(), err)
		}
		put(t, m, before.Text)
	}
}

func TestEXT06_AnEditedTextReplacesOnlyWhatWasEdited(t *testing.T) {
	m := open(t)
	saved, err := m.Replace(t.Context(), "# Notes\r\n- mine\u202e\u200d\n", "")
	if err != nil || saved.Text != "# Notes\n- mine\\u{202e}\u200d\n" {
		t.Fatalf("saved %q, %v", saved.Text, err)
	}
	if now := want(t, m, saved.Text); now != saved {
		t.Errorf("saved %+v, read %+v", saved, now)
	}
	add(t, m, "meanwhile")
	both := saved.Text + "- 2026-11-29: meanwhile\n"
	for _, version := range []string{saved.Version, ""} {
		if _, err := m.Replace(t.Context(), "lost?", version); refusal(err) != message.InvalidState {
			t.Errorf("version %q: %v", version, err)
		}
	}
	now := want(t, m, both)
	if _, err := m.Replace(t.Context(), strings.Repeat("x", 256<<10+1), now.Version); refusal(err) != message.InvalidParams {
		t.Errorf("too long: %v", err)
	}
	if same, err := m.Replace(t.Context(), both, now.Version); err != nil || same != now {
		t.Errorf("the same again: %+v, %v", same, err)
	}
	if none, err := m.Replace(t.Context(), " \n", now.Version); err != nil || none != (memory.Notes{}) {
		t.Errorf("emptied: %+v, %v", none, err)
	}
	if _, err := os.Stat(m.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
}

func TestEXT06_TheFileIsBounded(t *testing.T) {
	m := open(t)
	entry, err := m.NewEntry("x", day)
	if err != nil {
		t.Fatal(err)
	}
	full := strings.Repeat("y", 256<<10-len(entry)-1) + "\n" // one byte too many
	put(t, m, full)
	if _, err := m.Add(t.Context(), entry); refusal(err) != message.InvalidState || !strings.Contains(err.Error(), "shorten") {
		t.Errorf("added to a full memory: %v", err)
	}
	want(t, m, full)
	put(t, m, full[1:])
	if added, err := m.Add(t.Context(), entry); !added || err != nil {
		t.Errorf("added to one that is almost full: %v, %v", added, err)
	}
	want(t, m, full[1:]+entry+"\n")
}

func TestEXT06_ADamagedFileStaysAsItIs(t *testing.T) {
	for name, content := range map[string]string{
		"not UTF-8": "a\xff\n", "more than 262144 bytes": strings.Repeat("x", 256<<10+1),
	} {
		m := open(t)
		put(t, m, content)
		_, readErr := m.Read()
		_, addErr := m.Add(t.Context(), "- 2026-11-29: x")
		_, replaceErr := m.Replace(t.Context(), "x", "")
		for _, err := range []error{readErr, addErr, replaceErr} {
			if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), m.Path()) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if now, err := os.ReadFile(m.Path()); err != nil || string(now) != content {
			t.Errorf("%s: it has %d bytes now, %v", name, len(now), err)
		}
		if err := m.Clear(t.Context()); err != nil {
			t.Error(err)
		}
		want(t, m, "")
	}
	m := open(t)
	if err := os.MkdirAll(filepath.Join(m.Path(), "kept"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, readErr := m.Read()
	_, addErr := m.Add(t.Context(), "- 2026-11-29: x")
	for _, err := range []error{readErr, addErr, m.Clear(t.Context())} {
		if err == nil || !strings.Contains(err.Error(), "no file") {
			t.Errorf("a folder: %v", err)
		}
	}
	if _, err := os.Stat(filepath.Join(m.Path(), "kept")); err != nil {
		t.Error(err)
	}
}

func TestEXT06_WhatWaitsForTheFileEndsWithItsContext(t *testing.T) {
	m := open(t)
	add(t, m, "first")
	held := flock.New(strings.TrimSuffix(m.Path(), ".md") + ".lock")
	if err := held.Lock(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := m.Add(ctx, "- 2026-11-29: second")
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := held.Unlock(); err != nil {
		t.Fatal(err)
	}
	want(t, m, "- 2026-11-29: first\n")
}

const (
	writers = 4
	each    = 25
	// dataFor has a process of this test add entries to the memory in a data folder.
	dataFor, nameFor = "FAIRLEAD_TEST_MEMORY", "FAIRLEAD_TEST_WRITER"
)

// addEach adds the entries of one writer.
func addEach(t *testing.T, m *memory.Memory, writer string) {
	t.Helper()
	for i := range each {
		if added, err := m.Add(t.Context(), fmt.Sprintf("- 2026-11-29: %s %d", writer, i)); err != nil || !added {
			t.Errorf("writer %s, entry %d: %v, %v", writer, i, added, err)
		}
	}
}

// TestEXT06_ProcessesLoseNoEntry runs itself as other processes, whose writers add entries at once.
func TestEXT06_ProcessesLoseNoEntry(t *testing.T) {
	if data := os.Getenv(dataFor); data != "" {
		addEach(t, memory.Open(data, folder, redact), os.Getenv(nameFor))
		return
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	m := memory.Open(data, folder, redact)
	var work sync.WaitGroup
	for i := range writers {
		work.Go(func() { addEach(t, m, fmt.Sprintf("here%d", i)) })
		work.Go(func() {
			other := exec.CommandContext(t.Context(), program, "-test.run=^"+t.Name()+"$")
			other.Env = append(os.Environ(), dataFor+"="+data, fmt.Sprintf("%s=there%d", nameFor, i))
			if out, err := other.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	work.Wait()
	notes, err := m.Read()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for line := range strings.Lines(notes.Text) {
		found[line] = true
	}
	if wanted := 2 * writers * each; len(found) != wanted || strings.Count(notes.Text, "\n") != wanted {
		t.Errorf("%d entries in %d lines, want %d", len(found), strings.Count(notes.Text, "\n"), wanted)
	}
	if left, err := filepath.Glob(filepath.Join(data, "*", "*")); err != nil || len(left) != 2 {
		t.Errorf("beside the file and its lock there is %v, %v", left, err)
	}
}

func TestEXT06_AReaderFindsWholeTexts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system replaces no file that is open")
	}
	m := open(t)
	texts := []string{strings.Repeat("a", 100_000), strings.Repeat("b", 200_000)}
	notes, err := m.Replace(t.Context(), texts[0], "")
	if err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	done := make(chan struct{})
	work.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			content, err := os.ReadFile(m.Path())
			if err != nil || !bytes.Equal(content, []byte(texts[0])) && !bytes.Equal(content, []byte(texts[1])) {
				t.Errorf("read %d bytes, %v", len(content), err)
				return
			}
		}
	})
	for i := range 20 {
		if notes, err = m.Replace(t.Context(), texts[(i+1)%2], notes.Version); err != nil {
			t.Error(err)
			break
		}
	}
	close(done)
	work.Wait()
}
