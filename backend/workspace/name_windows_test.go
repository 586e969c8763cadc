package workspace_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/windows"

	"fairlead/backend/message"
)

// shortName is the short name of a file.
func shortName(t *testing.T, path string) string {
	t.Helper()
	long, err := windows.UTF16PtrFromString(path)
	if err != nil {
		t.Fatal(err)
	}
	short := make([]uint16, windows.MAX_PATH)
	if _, err := windows.GetShortPathName(long, &short[0], windows.MAX_PATH); err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(windows.UTF16ToString(short))
	if !strings.Contains(name, "~") {
		t.Skip("there are no short names on this disk")
	}
	return name
}

func TestSEC06_SecretsAreRefusedByTheirShortNames(t *testing.T) {
	folder, dir, _ := open(t)
	short := shortName(t, filepath.Join(dir, ".env"))
	for _, path := range []string{short, strings.ToLower(short), `sub\..\` + short} {
		if _, err := folder.OpenFile(path); code(err) != message.DeniedFile {
			t.Errorf("OpenFile(%q) = %v, want %s", path, err, message.DeniedFile)
		}
		if err := folder.Write(path, nil); code(err) != message.DeniedFile {
			t.Errorf("Write(%q) = %v, want %s", path, err, message.DeniedFile)
		}
	}
}

// A harmless file has its long name everywhere.
func TestTOOL02_ShortNamesAreShownAsLongOnes(t *testing.T) {
	folder, dir, _ := open(t)
	write(t, filepath.Join(dir, "a longer name.text"), "x\n")
	short := shortName(t, filepath.Join(dir, "a longer name.text"))
	place, err := folder.Locate(short)
	if err != nil || place.Path != "a longer name.text" {
		t.Errorf("Locate(%q) = %q, %v", short, place.Path, err)
	}
}

// What leads out of the folder, and what could be read as something else than a file in it.
func TestTOOL02_PathsOfWindowsStayInside(t *testing.T) {
	folder, dir, _ := open(t)
	write(t, filepath.Join(dir, "a.txt"), "x\n")
	drive := filepath.VolumeName(dir)
	for path, want := range map[string]message.ToolCode{
		`\\server\share\a.txt`:                 message.PathOutsideWorkspace,
		`//server/share/a.txt`:                 message.PathOutsideWorkspace,
		`\\.\` + drive + `\a.txt`:              message.PathOutsideWorkspace,
		`\\.\PhysicalDrive0`:                   message.PathOutsideWorkspace,
		`\\?\` + drive + `\Windows\system.ini`: message.PathOutsideWorkspace,
		`\\?\GLOBALROOT\Device\Null`:           message.PathOutsideWorkspace,
		`\a.txt`:                               message.PathOutsideWorkspace,
		drive + `\Windows\system.ini`:          message.PathOutsideWorkspace,
		`..\a.txt`:                             message.PathOutsideWorkspace,
		`sub\..\..\a.txt`:                      message.PathOutsideWorkspace,
		drive + `a.txt`:                        message.UnsupportedFile, // in the folder that the drive is at
		`Q:a.txt`:                              message.UnsupportedFile,
		`a.txt:stream`:                         message.UnsupportedFile,
		`a.txt::$DATA`:                         message.UnsupportedFile,
		`sub:$I30:$INDEX_ALLOCATION\x`:         message.UnsupportedFile,
		`NUL`:                                  message.UnsupportedFile,
		`sub\nul.txt`:                          message.UnsupportedFile,
		`COM1`:                                 message.UnsupportedFile,
		`conout$`:                              message.UnsupportedFile,
		"COM\u00b9":                            message.UnsupportedFile,
		`a.txt.`:                               message.UnsupportedFile,
		`a.txt `:                               message.UnsupportedFile,
	} {
		if _, err := folder.OpenFile(path); code(err) != want {
			t.Errorf("OpenFile(%q) = %v, want %s", path, err, want)
		}
		if err := folder.Write(path, []byte("y\n")); code(err) != want {
			t.Errorf("Write(%q) = %v, want %s", path, err, want)
		}
	}
	for _, path := range []string{filepath.Join(dir, "a.txt"), strings.ToUpper(dir) + `\A.TXT`, filepath.ToSlash(dir) + "/a.txt", `sub\..\a.txt`} {
		if place, err := folder.Locate(path); err != nil || place.Path != "a.txt" {
			t.Errorf("Locate(%q) = %q, %v", path, place.Path, err)
		}
	}
}
