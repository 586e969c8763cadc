package mcp

import (
	"encoding/json"
	"strings"
	"testing"
)

func isJSON(text string) bool { return json.Valid([]byte(text)) }

func TestEXT01_Hosts(t *testing.T) {
	for text, want := range map[string]string{
		"api.example.org:443": "api.example.org:443", "API.Example.ORG": "api.example.org:443", "bücher.example:8443": "xn--bcher-kva.example:8443",
		"example.org.:80": "example.org:80", "a_b.example.org": "a_b.example.org:443",
	} {
		if host, err := ParseHost(text); err != nil || host.String() != want {
			t.Errorf("%s: %s, %v", text, host, err)
		}
	}
	for text, words := range map[string]string{
		"*.example.org:443": "stands for several", "example.org:0": "no port", "example.org:99999": "no port", "example.org:": "no port", "": "no name of a host",
		"10.0.0.1:443": "is an address", "10.0.0.0/8:443": "no name of a host", "[::1]:443": "is an address", "::1": "is an address", "127.1:80": "is an address", "0x7f.1": "is an address",
		"1.0x7f000001:80": "is an address", "localhost:80": "is this computer", "x.localhost": "is this computer", "a b:80": "no name of a host", "-a.org": "no name of a host",
		"a..b": "no name of a host", "intranet:80": "no name of a host", "https://example.org": "no port", "example.org/x:443": "no name of a host", "u@example.org": "no name of a host",
		strings.Repeat("a.", 130) + "b": "no name of a host",
	} {
		if host, err := ParseHost(text); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %s, %v, want %q", text, host, err, words)
		}
	}
}

func TestEXT01_Grants(t *testing.T) {
	host := Host{Name: "a.org", Port: 443}
	program := Definition{Name: "p", Kind: KindStdio, Command: "x", Variables: []string{"A", "B"}}
	web := Definition{Name: "w", Kind: KindHTTP, URL: "https://example.org"}
	for _, test := range []struct {
		grant Grant
		of    Definition
		words string
	}{
		{Grant{}, program, ""},
		{Grant{Folder: FolderWrite, Hosts: []Host{host}, Variables: []string{"A"}}, program, ""},
		{Grant{Folder: "all"}, program, "there are none, read and write"},
		{Grant{Hosts: []Host{host, host}}, program, "granted twice"},
		{Grant{Hosts: []Host{{Name: "A.org", Port: 1}}}, program, "no name of a host"},
		{Grant{Hosts: []Host{{Name: "a.org", Port: 0}}}, program, "no port"},
		{Grant{Hosts: make([]Host, 33)}, program, "more than 32"},
		{Grant{Variables: []string{"C"}}, program, "not in the definition"},
		{Grant{}, web, ""},
		{Grant{Folder: FolderRead}, web, "is not on this computer"},
		{Grant{Hosts: []Host{host}}, web, "is not on this computer"},
	} {
		if err := test.grant.Check(test.of); (err == nil) != (test.words == "") || err != nil && !strings.Contains(err.Error(), test.words) {
			t.Errorf("%+v: %v, want %q", test.grant, err, test.words)
		}
	}
	other := Host{Name: "b.org", Port: 80}
	same := Grant{Hosts: []Host{host, other}, Variables: []string{"A", "B"}}
	if same.Hash() != (Grant{Folder: FolderNone, Hosts: []Host{other, host}, Variables: []string{"B", "A"}}).Hash() {
		t.Error("the order counts")
	}
	if same.Hash() == (Grant{Hosts: same.Hosts}).Hash() || (Grant{}).Hash() == (Grant{Folder: FolderRead}).Hash() || (Grant{}).Hash() != (Grant{Hosts: []Host{}, Variables: []string{}}).Hash() {
		t.Error("grants are not told apart")
	}
	if text := (Grant{Folder: FolderWrite, Hosts: same.Hosts, Variables: same.Variables}).String(); text != "reads and changes the folder; reaches a.org:443, b.org:80; is given A, B" {
		t.Error(text)
	}
}
