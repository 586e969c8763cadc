package workspace_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/workspace"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

func TestPreviewShowsText(t *testing.T) {
	folder, dir, _ := open(t)
	const text = "第一行：你好，世界\r\n第二行\n"
	gbk, err := simplifiedchinese.GB18030.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("你", 100_000) // Of three bytes each, so the cut is inside one.
	for name, test := range map[string]struct {
		content string
		want    workspace.FilePreview
	}{
		"plain":  {text, workspace.FilePreview{Text: text}},
		"empty":  {"", workspace.FilePreview{}},
		"bom":    {workspace.UTF8BOM + text, workspace.FilePreview{Text: text, Encoding: "UTF-8 with BOM"}},
		"gbk":    {gbk, workspace.FilePreview{Text: text, Encoding: "GB18030"}},
		"utf16":  {utf16, workspace.FilePreview{Text: text, Encoding: "UTF-16LE"}},
		"broken": {text + "\xff", workspace.FilePreview{Text: text + "\uFFFD"}},
		"binary": {"\x89PNG\r\n\x1a\n\x00\x00", workspace.FilePreview{Binary: true}},
		"long":   {long, workspace.FilePreview{Text: long[:256<<10/3*3], Truncated: true}},
		"full":   {long[:256<<10/3*3] + "x", workspace.FilePreview{Text: long[:256<<10/3*3] + "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			write(t, filepath.Join(dir, name), test.content)
			got, err := folder.Preview(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			test.want.Path, test.want.Size = name, int64(len(test.content))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("previewed (-want +got):\n%.1000s", diff)
			}
			if !utf8.ValidString(got.Text) {
				t.Error("not UTF-8")
			}
		})
	}
}

func TestSEC06_PreviewRefusesSecrets(t *testing.T) {
	folder, dir, outside := open(t)
	codes := map[string]message.ToolCode{
		".env": message.DeniedFile, "missing": message.FileNotFound,
		"sub": message.UnsupportedFile, "../work-beside/out.txt": message.PathOutsideWorkspace,
	}
	if linkAll(t, dir, map[string]string{"way-out": filepath.Join(outside, "out.txt"), "harmless": ".env"}) {
		codes["way-out"], codes["harmless"] = message.PathOutsideWorkspace, message.DeniedFile
	}
	for name, want := range codes {
		if got, err := folder.Preview(t.Context(), name); code(err) != want || got.Text != "" {
			t.Errorf("Preview(%q) = %+v, %v; want %s", name, got, err, want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := folder.Preview(ended, "a.txt"); !errors.Is(err, context.Canceled) {
		t.Errorf("Preview after the end: %v", err)
	}
}
