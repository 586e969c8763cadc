package remote

import "testing"

func TestEXT01_AnAddressNearbyIsNamed(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:3000/": "an address of this computer", "http://localhost:3000/mcp": "an address of this computer",
		"http://[::1]/": "an address of this computer", "http://notes.localhost/": "an address of this computer",
		"https://10.1.2.3/": "a private network", "https://[::ffff:192.168.0.1]/": "a private network", "https://[fd00::1]/": "a private network",
		// Nobody can agree to these.
		"https://169.254.169.254/": "", "https://[fe80::1]/": "", "https://198.18.0.1/": "",
		"https://93.184.215.14/": "", "https://there-is-none.invalid/": "",
	} {
		if got, err := Nearby(t.Context(), address); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", address, got, err, want)
		}
	}
	for _, address := range []string{"ftp://notes.example.org/", "notes", "https://ada:secret@notes.example.org/", "https://127.1/"} {
		if got, err := Nearby(t.Context(), address); err == nil {
			t.Errorf("%s: %q", address, got)
		}
	}
}
