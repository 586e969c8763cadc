package change

import (
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

// What a file has from its folder is left to the system, which gives it to the next one too.
func TestCHG04_RightsOfAFileAreThoseThatItsFolderHasNot(t *testing.T) {
	for descriptor, want := range map[string]string{
		"D:(A;ID;FA;;;SY)":                          "",
		"D:AI(A;ID;FA;;;SY)(A;ID;FR;;;WD)":          "",
		"D:(A;;FR;;;WD)(A;ID;FA;;;SY)":              "D:(A;;FR;;;WD)",
		"D:(D;;FW;;;WD)(A;ID;FA;;;SY)(A;;FR;;;BA)":  "D:(D;;FW;;;WD)(A;;FR;;;BA)",
		"D:P(A;;FA;;;SY)":                           "D:P(A;;FA;;;SY)",
		"D:P":                                       "D:P",
		"O:BAG:BAD:P(A;OICI;FA;;;SY)(A;ID;FR;;;WD)": "D:P(A;OICI;FA;;;SY)",
	} {
		all, err := windows.SecurityDescriptorFromString(descriptor)
		if err != nil {
			t.Fatal(err)
		}
		rights, err := ownRights(all)
		if err != nil || (rights == nil) != (want == "") {
			t.Errorf("of %s: %v, %v", descriptor, rights, err)
			continue
		}
		if rights == nil {
			continue
		}
		own, err := windows.NewSecurityDescriptor()
		if err != nil {
			t.Fatal(err)
		}
		if err := own.SetDACL((*windows.ACL)(unsafe.Pointer(&rights[1])), true, false); err != nil {
			t.Fatal(err)
		}
		if rights[0] == 1 {
			if err := own.SetControl(windows.SE_DACL_PROTECTED, windows.SE_DACL_PROTECTED); err != nil {
				t.Fatal(err)
			}
		}
		if got := own.String(); got != want {
			t.Errorf("of %s are the file's own %s, want %s", descriptor, got, want)
		}
	}
}
