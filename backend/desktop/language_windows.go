package desktop

import "golang.org/x/sys/windows"

// systemLanguage is the first of the languages that the user has chosen for the system's
// own windows, as in en-US. It is empty where the system does not tell.
func systemLanguage() string {
	languages, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil || len(languages) == 0 {
		return ""
	}
	return languages[0]
}
