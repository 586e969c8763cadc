package desktop

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"fairlead/backend/settings"
)

// Preferences is bound to the page: language, theme, layout, and links to the outside.
type Preferences struct{ window *Window }

// SetLanguage sets the language: "" for the system's, en or zh-CN.
func (p *Preferences) SetLanguage(language string) (None, error) {
	return Guard(p.window, func() (None, error) {
		if !slices.Contains([]string{"", "en", "zh-CN"}, language) {
			return None{}, &Fault{Code: CodeUsage, Message: fmt.Sprintf("the language %q is none of en, zh-CN", language)}
		}
		return None{}, p.changeState(func(s *settings.State) { s.Language = language })
	})
}

// SetTheme sets the theme: "" for the system's, light or dark.
func (p *Preferences) SetTheme(theme string) (None, error) {
	return Guard(p.window, func() (None, error) {
		if !slices.Contains([]string{"", "light", "dark"}, theme) {
			return None{}, &Fault{Code: CodeUsage, Message: fmt.Sprintf("the theme %q is none of light, dark", theme)}
		}
		return None{}, p.changeState(func(s *settings.State) { s.Theme = theme })
	})
}

// SetLayout remembers how the parts of the window are arranged.
func (p *Preferences) SetLayout(layout settings.Layout) (None, error) {
	return Guard(p.window, func() (None, error) {
		if err := layout.Check(); err != nil {
			return None{}, &Fault{Code: CodeUsage, Message: err.Error()}
		}
		// The page that says so knows it, and no other need.
		p.window.remembered.saveChange(func(s *settings.State) { s.Layout = layout })
		return None{}, nil
	})
}

func (p *Preferences) changeState(change func(*settings.State)) error {
	p.window.remembered.saveChange(change)
	p.window.stateChanged()
	return nil
}

// OpenLink opens a web or mail address in the user's own programs. The page
// asks the user first.
func (p *Preferences) OpenLink(address string) (None, error) {
	return Guard(p.window, func() (None, error) {
		link, err := url.Parse(address)
		if err != nil || !slices.Contains([]string{"http", "https", "mailto"}, link.Scheme) {
			return None{}, &Fault{Code: CodeUsage, Message: fmt.Sprintf("the link %q is no web or mail address", address)}
		}
		p.window.native.OpenLink(escapeLink(link.String()))
		return None{}, nil
	})
}

// escapeLink writes the characters that the window library refuses in an address,
// without a word, in the form that means the same.
func escapeLink(address string) string {
	var out strings.Builder
	for _, r := range []byte(address) {
		if strings.IndexByte("|;`$\\<>*{}[]()~! ", r) >= 0 {
			fmt.Fprintf(&out, "%%%02X", r)
		} else {
			out.WriteByte(r)
		}
	}
	return out.String()
}
