package process

import "testing"

func TestCodePage(t *testing.T) {
	tests := []struct {
		page     uint32
		in, want string
	}{
		{936, "\xc4\xbf\xc2\xbc", "目录"},
		{932, "\x93\xfa\x96\x7b", "日本"},
		{949, "\xc7\xd1", "한"},
		{950, "\xa4\xa4", "中"},
		{437, "\x82", "é"},
		{1252, "\xe9\x80", "é€"},
		{65001, "目录", "目录"},
	}
	for _, test := range tests {
		if got, err := codePage(test.page).NewDecoder().String(test.in); err != nil || got != test.want {
			t.Errorf("page %d: got %q, %v, want %q", test.page, got, err, test.want)
		}
	}
}
