//go:build e2e && linux

package native

import (
	"os"
	"path/filepath"
	"testing"
)

// TestDOC03_AFileIsNamedAsItIsTyped names files with @, typed without pauses, with letters of its path and through an
// input method.
func TestDOC03_AFileIsNamedAsItIsTyped(t *testing.T) {
	p := newPlace(t, "text One.\n---\ntext Two.\n")
	for _, name := range []string{"docs/parser.md", "src/parser.go", "合同/租赁合同.txt"} {
		p.must(os.MkdirAll(filepath.Join(p.workspace, filepath.Dir(name)), 0o700))
		p.write(name, "x")
	}
	w := p.open()
	field := query{Role: "entry", Name: w.words.word("shell.composer.label")}
	w.enter(field, "read @srpa")
	w.find(query{Role: "list item", Name: "src/parser.go"})
	w.keys("Return")
	w.find(query{Role: "entry", Name: field.Name, Text: "read src/parser.go "})
	w.types("and sum up")
	w.keys("Return")
	w.sees("One.")
	if got := w.model.task(1); got != "read src/parser.go and sum up" {
		t.Errorf("the task is %q", got)
	}
	w.enter(field, "看@租")
	w.find(query{Role: "list item", Name: "合同/租赁合同.txt"})
	w.keys("Return")
	w.find(query{Role: "entry", Name: field.Name, Text: "看合同/租赁合同.txt "})
	w.keys("Return")
	w.sees("Two.")
	w.exitsWell()
}

func TestDOC03_AFileFromElsewhereIsCopiedInAfterOneQuestion(t *testing.T) {
	p := newPlace(t, "text One.\n")
	p.write("report.txt", "mine")
	elsewhere := filepath.Join(t.TempDir(), "report.txt")
	p.must(os.WriteFile(elsewhere, []byte("new"), 0o600))
	w := p.open()
	w.drop(elsewhere)
	w.push(query{Role: "button", Name: w.words.word("shell.dropped.copy")})
	w.find(query{Role: "entry", Name: w.words.word("shell.composer.label"), Text: `"report (2).txt" `})
	for name, want := range map[string]string{"report.txt": "mine", "report (2).txt": "new"} {
		if got, err := os.ReadFile(filepath.Join(p.workspace, name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
}

// TestDOC03_SoakAFileIsNamedThroughAnInputMethod types a part of a path as people in China do.
func TestDOC03_SoakAFileIsNamedThroughAnInputMethod(t *testing.T) {
	if !soak {
		t.Skip("it needs an input method: make soak")
	}
	p := newPlace(t, "text One.\n")
	p.must(os.MkdirAll(filepath.Join(p.workspace, "合同"), 0o700))
	p.write("合同/租赁合同.txt", "x")
	p.write("合同/工作计划.txt", "x")
	p.startInputMethod()
	w := p.open()
	field := query{Role: "entry", Name: w.words.word("shell.composer.label")}
	w.enter(field, "@")
	p.choose(pinyin)
	// While it is composed it is no part of a name yet: Enter would choose one.
	w.types("gongzuo")
	w.find(query{Role: "list item", Name: "合同/租赁合同.txt"})
	w.keys("space")
	w.gone(query{Role: "list item", Name: "合同/租赁合同.txt"})
	w.find(query{Role: "list item", Name: "合同/工作计划.txt"})
	w.keys("Return")
	w.find(query{Role: "entry", Name: field.Name, Text: "合同/工作计划.txt "})
	p.choose(latin)
}
