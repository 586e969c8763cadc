package shell_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead/backend/sandbox"
)

// planted are files of a home with the word SECRET in them where the user would have a
// key, and with what a command is to see of the rest.
var planted = map[string]struct {
	text string
	// mode is the file's; 0 is 0600.
	mode os.FileMode
}{
	".gitconfig": {text: `# SECRET in a comment
[user]
	name = "Mina Example"
	email = mina@localhost
[Alias] st = status --short
[alias]
	push-there = "!git -c http.extraHeader=\"Authorization: Bearer SECRETSECRET\" push"
[core]
	autocrlf = input ; a comment
	pager = less \
 -R
[credential "https://example.com"]
	username = SECRET
	helper = "!echo password=SECRET"
[http "https://example.com"]
	extraheader = AUTHORIZATION: basic SECRET
[http]
	proxy = http://me:SECRET@proxy.example.com:3128
	proxySSLCAInfo = kept
[url "https://oauth2:SECRET@gitlab.example.com/"]
	insteadOf = https://gitlab.example.com/
[url "https://SECRET@example.com/"]
	insteadOf = "example:"
[url "ssh://git@example.com/"]
	insteadOf = "short:"
[github]
	user = mina
	token = SECRET
[sendemail]
	smtpPass = SECRET
[include]
	path = ~/settings/more.inc
[includeIf "gitdir:/"]
	path = settings/if.inc
`},
	".config/git/config":                           {text: "[init]\n\tdefaultBranch = trunk\n[http]\n\tcookieFile = SECRET\n"},
	"settings/more.inc":                            {text: "[merge]\n\tconflictStyle = zdiff3\n[hub]\n\toauthtoken = SECRET\n"},
	"settings/if.inc":                              {text: "[rerere]\n\tenabled\n[my]\n\tkey = ghp_SECRETSECRETSECRETSECRET\n"},
	".git-credentials":                             {text: "https://mina:SECRET@example.com\n"},
	".config/git/credentials":                      {text: "https://mina:SECRET@example.com\n"},
	".local/bin/tool":                              {text: "#!/bin/sh\necho works\n", mode: 0o755},
	".local/bin/token":                             {text: "SECRET\n"},
	".local/bin/deep/notes.txt":                    {text: "SECRET\n"},
	"go/bin/key":                                   {text: "SECRET\n"},
	".local/share/uv/credentials/a":                {text: "SECRET\n"},
	".local/share/uv/tools/ruff/bin":               {text: "#!/bin/sh\necho works\n", mode: 0o755},
	".dotnet/corefx/cryptography/x":                {text: "SECRET\n"},
	".dotnet/sdk/x":                                {text: "fine\n"},
	".nvm/versions/node/v20/bin/x":                 {text: "#!/bin/sh\necho works\n", mode: 0o755},
	".nvm/versions/node/v20/etc/npmrc":             {text: "//registry.example.com/:_authToken=SECRET\n"},
	".nvm/versions/node/v18/etc/npmrc":             {text: "prefix=fine\n"},
	".pyenv/versions/3/pip.conf":                   {text: "[global]\nindex-url = https://me:SECRET@example.com/simple\n"},
	".sdkman/candidates/maven/3/conf/settings.xml": {text: "<settings><!-- <password>x</password> --><server><password>SECRET</password></server></settings>\n"},
	".sdkman/candidates/maven/4/conf/settings.xml": {text: "<settings><!-- <password>x</password> --></settings>\n"},
	".cargo/credentials.toml":                      {text: "token = \"SECRET\"\n"},
	".cargo/bin/cargo":                             {text: "#!/bin/sh\necho works\n", mode: 0o755},
	"shared/readme":                                {text: "fine\n"},
	".config/gh/hosts.yml":                         {text: "oauth_token: SECRET\n"},
	".config/app/settings":                         {text: "fine\n"},
	".local/share/keyrings/login":                  {text: "SECRET\n"},
}

// plantedHome gives the lab a home with the planted files.
func plantedHome(t *testing.T, l *lab) {
	t.Helper()
	l.home = filepath.Join(l.above, "home")
	for name, file := range planted {
		path := filepath.Join(l.home, name)
		l.write(t, path, file.text)
		if file.mode != 0 {
			must(t, os.Chmod(path, file.mode))
		}
	}
}

func TestSEC10_ToolChainsComeWithoutCredentials(t *testing.T) {
	bothLevels(t, func(t *testing.T, system *sandbox.System) {
		l := newLab(t)
		plantedHome(t, l)
		run := confinedReading(system, ".config", "shared")(t, l)
		for _, name := range slices.Sorted(maps.Keys(planted)) {
			text := planted[name].text
			got := run(t, `cat '`+filepath.Join(l.home, name)+`' 2>&1`).Content.Text()
			if strings.Contains(got, "SECRET") {
				t.Errorf("%s can be read: %.200s", name, got)
			}
			if (strings.Contains(text, "fine") || strings.Contains(text, "works")) && got != text {
				t.Errorf("%s cannot be read: %.200s", name, got)
			}
		}
		all := run(t, `grep -rIl SECRET `+l.home+` "$XDG_CACHE_HOME/.." "$GIT_CONFIG_GLOBAL"* 2>/dev/null; git config --list`)
		if strings.Contains(all.Content.Text(), "SECRET") || strings.Contains(all.Content.Text(), "/") && strings.Contains(strings.Split(all.Content.Text(), "\n")[0], l.home) {
			t.Errorf("what was found: %.600s", all.Content.Text())
		}
		if got := run(t, l.home+`/.local/bin/tool && `+l.home+`/.nvm/versions/node/v20/bin/x`).Content.Text(); got != "works\nworks\n" {
			t.Errorf("programs do not run: %s", got)
		}
	})
}

// confinedReading opens the tool with further folders of the home that commands may read.
func confinedReading(system *sandbox.System, readable ...string) opener {
	return func(t *testing.T, l *lab) runner {
		t.Helper()
		l.readable = nil
		for _, name := range readable {
			l.readable = append(l.readable, filepath.Join(l.home, name))
		}
		return confined(system)(t, l)
	}
}

func TestSEC10_GitKeepsTheUsersSettings(t *testing.T) {
	if reason := needs("git")(); reason != "" {
		t.Skip(reason)
	}
	bothLevels(t, func(t *testing.T, system *sandbox.System) {
		l := newLab(t)
		plantedHome(t, l)
		run := confined(system)(t, l)
		result := run(t, `git init -q . && git commit -q --allow-empty -m first && git log --format='%an %ae' && git branch --show-current`)
		if want := "Mina Example mina@localhost\ntrunk\n"; !strings.HasPrefix(result.Content.Text(), want) {
			t.Errorf("got %s, want %s", result.Text(), want)
		}
		for key, want := range map[string]string{
			"alias.st": "status --short", "core.autocrlf": "input", "core.pager": "less  -R", "http.proxySSLCAInfo": "kept",
			"url.ssh://git@example.com/.insteadof": "short:", "github.user": "mina",
			"merge.conflictstyle": "zdiff3", "rerere.enabled": "",
		} {
			if got := run(t, `git config --get '`+key+`' || echo none`).Content.Text(); strings.TrimSpace(got) != want {
				t.Errorf("%s is %q, want %q", key, got, want)
			}
		}
		// What the user changes is there for the next command.
		path := filepath.Join(l.home, ".gitconfig")
		must(t, os.WriteFile(path, []byte("[user]\n\tname = Other\n[url \"https://x:SECRET@h/\"]\n\tinsteadOf = h:\n"), 0o600))
		must(t, os.Chtimes(path, time.Now(), time.Now().Add(time.Hour)))
		if got := run(t, `git config --list | grep -i -e user -e secret`).Content.Text(); got != "user.name=Other\n" {
			t.Errorf("after a change: %q", got)
		}
	})
}
