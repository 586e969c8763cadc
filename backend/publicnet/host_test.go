package publicnet

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
)

func TestEXT01_HostsAreNamedOneByOne(t *testing.T) {
	long := strings.Repeat("a", 63)
	for text, want := range map[string]struct {
		host Host
		err  error
	}{
		"api.example.com:443":                   {Host{"api.example.com", 443}, nil},
		"API.Example.COM:8080":                  {Host{"api.example.com", 8080}, nil},
		"xn--bcher-kva.example:1":               {Host{"xn--bcher-kva.example", 1}, nil},
		"1.example:65535":                       {Host{"1.example", 65535}, nil},
		long + ".example:443":                   {Host{long + ".example", 443}, nil},
		"":                                      {err: errName},
		"api.example.com":                       {Host{"api.example.com", 443}, nil},
		"api.example.com:":                      {err: errPort},
		"api.example.com:0":                     {err: errPort},
		"api.example.com:65536":                 {err: errPort},
		"api.example.com:https":                 {err: errPort},
		"api.example.com:+1":                    {err: errPort},
		"https://api.example.com:443":           {err: errAddress},
		"*.example.com:443":                     {err: errWildcard},
		"*:443":                                 {err: errWildcard},
		"api.*.com:443":                         {err: errWildcard},
		"localhost:443":                         {err: errLocal},
		"a.localhost:443":                       {err: errLocal},
		"LOCALHOST:443":                         {err: errLocal},
		"localhost.localdomain:443":             {err: errLocal},
		"ip6-localhost:443":                     {err: errLocal},
		"127.0.0.1:443":                         {err: errAddress},
		"93.184.216.34:443":                     {err: errAddress},
		"2130706433:443":                        {err: errAddress},
		"0x7f.1:443":                            {err: errAddress},
		"example.0x1:443":                       {err: errAddress},
		"[::1]:443":                             {err: errAddress},
		"intranet:443":                          {err: errName},
		"api.example.com.:443":                  {Host{"api.example.com", 443}, nil},
		"https://api.example.com":               {err: errPort},
		"::1":                                   {err: errAddress},
		"10.0.0.0/8:443":                        {err: errName},
		"１２７.０.０.１:443":                         {err: errAddress},
		".example.com:443":                      {err: errName},
		"api..example.com:443":                  {err: errName},
		"-a.example.com:443":                    {err: errName},
		"a-.example.com:443":                    {err: errName},
		"a b.example.com:443":                   {err: errName},
		"a\n127.0.0.1 other.example:443":        {err: errName},
		"bücher.example:443":                    {Host{"xn--bcher-kva.example", 443}, nil},
		"user@example.com:443":                  {err: errName},
		"example.com/path.a:443":                {err: errName},
		long + "a.example:443":                  {err: errName},
		strings.Repeat("a.", 130) + "com:443":   {err: errName},
		"a_b.example.com:443":                   {Host{"a_b.example.com", 443}, nil},
		"api.example.com\x00.evil.example:443":  {err: errName},
		"api.example.com #.evil.example.a:443":  {err: errName},
		"api.example.com\u200b.evil.example:80": {err: errName},
	} {
		host, err := ParseHost(text)
		if host != want.host || !errors.Is(err, want.err) {
			t.Errorf("%q: %v, %v, want %v, %v", text, host, err, want.host, want.err)
		}
	}
}

func FuzzParseHost(f *testing.F) {
	for _, text := range []string{"api.example.com:443", "127.0.0.1:1", "a\n.b:1", "[::1]:2", "*.a:3", "0x1.2:4"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		host, err := ParseHost(text)
		if err != nil {
			return
		}
		// A line of the file of hosts holds it as one word, and nobody reads it as an address.
		if len(strings.Fields("127.7.0.1 "+host.Name+"\n")) != 2 || strings.ContainsAny(host.Name, "#*\x00") || host.Port == 0 {
			t.Errorf("%q is %q", text, host.Name)
		}
		if _, err := netip.ParseAddr(host.Name); err == nil {
			t.Errorf("%q is an address", host.Name)
		}
		if again, err := ParseHost(host.String()); err != nil || again != host {
			t.Errorf("%q is then %q, %v", host, again, err)
		}
	})
}

func TestEXT01_HostsThatWereNotParsedAreChecked(t *testing.T) {
	for host, want := range map[Host]error{
		{"api.example.com", 443}: nil, {"api.example.com", 0}: errPort, {"API.example.com", 443}: errName,
		{"a.example\n127.0.0.1 b.example", 443}: errName, {"", 443}: errName, {"127.0.0.1", 443}: errAddress, {"*.example.com", 443}: errWildcard,
	} {
		if err := host.Check(); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", host, err, want)
		}
	}
}
