package workspace_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/workspace"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

const instructionsName = "AGENTS.md"

func TestMSG10_InstructionsOfAProject(t *testing.T) {
	const text = "# 说明\r\n先运行测试，再提交更改。\r\n"
	gbk, err := simplifiedchinese.GB18030.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	const limit = 32 << 10
	long := strings.Repeat("你", 200_000) // of three bytes each, so the limit is inside one
	wrong := strings.Repeat("你", 9) + "\xff"
	mended := strings.Repeat(strings.ToValidUTF8(wrong, "\uFFFD"), limit/30) + "你你"
	for name, test := range map[string]struct {
		content, text string
		cut           bool
	}{
		"plain":             {text, text, false},
		"GBK":               {gbk, text, false},
		"UTF-16":            {utf16, text, false},
		"a mark first":      {workspace.UTF8BOM + text, text, false},
		"a wrong byte":      {text + "\xff.", text + "\uFFFD.", false},
		"control":           {"a\x1b[31mb\u202ec\r\n", "a\x1b[31mb\u202ec\r\n", false},
		"as long as may":    {long[:limit/3*3] + "xy", long[:limit/3*3] + "xy", false},
		"a byte more":       {long[:limit/3*3] + "xyz", long[:limit/3*3] + "xy", true},
		"huge":              {long, long[:limit/3*3], true},
		"huge, wrong":       {strings.Repeat(wrong, 10_000), mended, true},
		"longer by mending": {strings.Repeat(wrong, limit/30+1), mended, true},
		"empty":             {},
		"white space":       {content: " \r\n\t"},
	} {
		t.Run(name, func(t *testing.T) {
			folder, dir, _ := open(t)
			write(t, filepath.Join(dir, instructionsName), test.content)
			got, err := folder.Instructions(".")
			if err != nil {
				t.Fatal(err)
			}
			var want workspace.Instructions
			if test.text != "" {
				sum := sha256.Sum256([]byte(test.text))
				want = workspace.Instructions{
					Path: instructionsName, Text: test.text, SHA256: hex.EncodeToString(sum[:]), Bytes: len(test.content), Cut: test.cut,
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("read (-want +got):\n%.1000s", diff)
			}
			if !utf8.ValidString(got.Text) {
				t.Error("not UTF-8")
			}
		})
	}
}

func TestMSG10_AProjectWithoutInstructions(t *testing.T) {
	folder, dir, _ := open(t)
	write(t, filepath.Join(dir, "sub", instructionsName), "not at the top")
	linked := sandboxtest.TryLink(t, "nowhere", filepath.Join(dir, "AGENT.md"))
	if got, err := folder.Instructions("."); err != nil || got != (workspace.Instructions{}) {
		t.Errorf("%+v, %v", got, err)
	}
	if !linked {
		return
	}
	sandboxtest.Link(t, "nowhere.md", filepath.Join(dir, instructionsName))
	if got, err := folder.Instructions("."); err != nil || got != (workspace.Instructions{}) {
		t.Errorf("a link to nothing: %+v, %v", got, err)
	}
}

func TestMSG10_InstructionsComeFromTheFolderOnly(t *testing.T) {
	for name, test := range map[string]struct {
		make func(t *testing.T, dir, outside, path string)
		code message.ToolCode
		says string
	}{
		"a link out": {func(t *testing.T, _, outside, path string) {
			sandboxtest.Link(t, filepath.Join(outside, "out.txt"), path)
		}, message.PathOutsideWorkspace, "outside the workspace"},
		"a link out by its way": {func(t *testing.T, _, _, path string) {
			sandboxtest.Link(t, "../work-beside/out.txt", path)
		}, message.PathOutsideWorkspace, "outside the workspace"},
		"a link to a secret": {func(t *testing.T, _, _, path string) {
			sandboxtest.Link(t, ".env", path)
		}, message.DeniedFile, "keys or passwords"},
		"a folder": {func(t *testing.T, _, _, path string) {
			write(t, filepath.Join(path, "x"), "x")
		}, message.UnsupportedFile, "is a folder"},
		"no text": {func(t *testing.T, _, _, path string) {
			write(t, path, "\x89PNG\r\n\x1a\n\x00\x00")
		}, message.UnsupportedFile, "binary file"},
		"a huge file of nothing": {func(t *testing.T, _, _, path string) {
			write(t, path, "")
			if err := os.Truncate(path, 1<<40); err != nil {
				t.Skipf("no sparse files here: %v", err)
			}
		}, message.UnsupportedFile, "binary file"},
	} {
		t.Run(name, func(t *testing.T) {
			folder, dir, outside := open(t)
			test.make(t, dir, outside, filepath.Join(dir, instructionsName))
			got, err := folder.Instructions(".")
			if code(err) != test.code || got != (workspace.Instructions{}) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestMSG10_InstructionsMayBeALinkInTheFolder(t *testing.T) {
	folder, dir, _ := open(t)
	sandboxtest.Link(t, "sub/b.txt", filepath.Join(dir, instructionsName))
	got, err := folder.Instructions(".")
	if err != nil || got.Path != instructionsName || got.Text != "b\n" {
		t.Errorf("%+v, %v", got, err)
	}
}
