package shell_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/tool/shell"
	"fairlead/backend/tool/tooltest"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m)) }

// A command is a line of cmd.exe, in the folder, and its text is read by the code page.
func TestTOOL04_CommandsOfWindows(t *testing.T) {
	b := open(t, func(o *shell.Options) { o.Level = always(message.LevelNone) })
	dir := b.Folder.Path()
	if err := os.WriteFile(filepath.Join(dir, "中文 é.txt"), []byte("one\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		`echo one& echo two>&2`:         "one\r\ntwo",
		`echo "two words" ^& more`:      `"two words" & more`,
		`if exist "中文 é.txt" echo é`:    "é",
		`type "中文 é.txt"`:               "one",
		`cd`:                            dir,
		`set /p x=read & echo no input`: "no input",
		`echo %ERRORLEVEL%`:             "0",
	} {
		result := b.run(t, "shell", command(t, line))
		if text := result.Content.Text(); result.Error != nil || !strings.Contains(strings.ToLower(text), strings.ToLower(want)) {
			t.Errorf("%s printed %q, %+v, want %q", line, text, result.Error, want)
		}
	}
	for line, want := range map[string]string{"exit 7": "7", "exit /b 259": "259"} {
		result := b.run(t, "shell", command(t, line))
		if result.Error == nil || result.Error.Code != message.CommandFailed || !strings.Contains(result.Error.Message, "exit code "+want) {
			t.Errorf("%s ended with %+v, want %s", line, result.Error, want)
		}
	}
	result := b.run(t, "shell", command(t, "echo one\necho two"))
	if result.Error == nil || !strings.Contains(result.Error.Message, "&&") {
		t.Errorf("two lines ended with %+v", result.Error)
	}
}

// Nothing that a command has started lives on after its time, or in the background after a kill.
func TestTOOL05_CommandsOfWindowsEnd(t *testing.T) {
	b := open(t, func(o *shell.Options) { o.Level = always(message.LevelNone) })
	const forever = `start /b ping -n 1000 127.0.0.1 >NUL & ping -n 1000 127.0.0.1 >NUL`
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	began := time.Now()
	if result := tooltest.Run(ctx, b.tools["shell"], input(command(t, forever))); result.Error == nil {
		t.Errorf("a command without an end ended with %q", result.Text())
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v to end", took)
	}
	if result := b.run(t, "shell_start", command(t, forever)); result.Error != nil {
		t.Fatal(result.Text())
	}
	if result := b.run(t, "shell_kill", `{"processId": "p1"}`); result.Error != nil {
		t.Error(result.Text())
	}
}
