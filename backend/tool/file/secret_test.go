package file_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/tool/search"
	"fairlead/backend/workspace"
)

// withSearch adds the search tool to the bench.
func (b *bench) withSearch() *bench {
	b.t.Helper()
	folder, err := workspace.Open(b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = folder.Close() })
	for _, one := range search.New(folder, nil) {
		b.tools[one.Definition().Name] = one
	}
	return b
}

const (
	// value is a secret that no form tells: files with it are refused by name.
	value = "hunter2-of-canary"
	// token is one of a known form.
	token  = "ghp_aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zCaB3d"
	hidden = "[secret hidden: 40 characters]"
)

func TestSEC10_NoToolSendsSecrets(t *testing.T) {
	b := newBench(t).withSearch()
	for path, content := range map[string]string{
		".git/config":                "[remote \"origin\"]\n\turl = https://me:" + token + "@example.com/x.git # canary\n",
		".env":                       "KEY=" + value + "\n",
		"terraform.tfstate":          `{"password": "` + value + `"}`,
		"prod.tfvars":                `password = "` + value + `"`,
		"config/secrets.yml":         "key_base: " + value + "\n",
		"service-account.json":       `{"canary": "` + value + `"}`,
		".dev.vars":                  "KEY=" + value + "\n",
		".yarnrc.yml":                "npmAuthToken: \"npm_" + token[4:] + "\" # canary\n",
		"home/.aws/config":           "key = " + value + "\n",
		"kubeconfig":                 "token: " + value + "\n",
		"home/.m2/settings.xml":      "<password>" + value + "</password>\n",
		"home/.config/gh/hosts.yml":  "oauth_token: " + value + "\n",
		"home/.kube/config":          "token: " + value + "\n",
		"home/.git-credentials":      "https://me:" + value + "@example.com\n",
		"home/.aws/sso/cache/1.json": `{"accessToken": "` + value + `"}`,
	} {
		b.put(path, content)
	}
	if err := os.Link(filepath.Join(b.dir, ".env"), filepath.Join(b.dir, "notes.txt")); err != nil {
		t.Fatal(err)
	}
	paths := []string{
		".git/config", "notes.txt", "terraform.tfstate", "prod.tfvars", "config/secrets.yml", "service-account.json", ".dev.vars",
		".yarnrc.yml", "home/.aws/config", "kubeconfig", "home/.m2/settings.xml", "home/.config/gh/hosts.yml",
		"home/.kube/config", "home/.git-credentials", "home/.aws/sso/cache/1.json",
	}
	if sandboxtest.TryLink(t, "home/.config/gh/hosts.yml", filepath.Join(b.dir, "link.txt")) {
		paths = append(paths, "link.txt")
	}
	for _, path := range paths {
		read, found := b.run("read_file", "path", path), b.run("search_files", "path", path, "pattern", "canary|"+value)
		for _, result := range []message.Result{read, found} {
			if strings.Contains(result.Text(), value) || strings.Contains(result.Text(), token[4:]) {
				t.Errorf("%s: sent %q", path, result.Text())
			}
		}
		if path != ".git/config" && path != ".yarnrc.yml" && (read.Success() || read.Error.Code != message.DeniedFile) {
			t.Errorf("%s is read: %q", path, read.Text())
		}
	}
	if found := b.run("search_files", "pattern", "canary|"+value); strings.Contains(found.Text(), value) || strings.Contains(found.Text(), token[4:]) {
		t.Errorf("found: %q", found.Text())
	}
}

func TestSEC10_FilesThatOnlyHaveSimilarNamesAreRead(t *testing.T) {
	b := newBench(t)
	b.put("original.txt", "text\n")
	if err := os.Link(filepath.Join(b.dir, "original.txt"), filepath.Join(b.dir, "linked.txt")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"ansible/hosts.yml", "docs/secrets.md", "variables.tf", "prod.tfvars.example", "src/settings.xml", ".aws-sam/build.toml",
		"config.yml", "docker/config.json", ".dev.vars.example", "secrets.go", "service-account.md",
	} {
		b.put(path, "text\n")
		b.read("path", path)
	}
	b.read("path", "linked.txt")
}

func TestSEC10_ReadFileHidesValues(t *testing.T) {
	b := newBench(t)
	key := strings.Repeat("aB3dE5gH7jK9mN1p", 4)
	b.put("notes.md", "first\ntoken: "+token+" end\nsecond "+token+" and https://me:s3cr3t-pass@example.com\nlast\n")
	got := b.read("path", "notes.md", "numbers", true)
	want := "1\tfirst\n2\ttoken: " + hidden + " end\n3\tsecond " + hidden +
		" and https://me:[secret hidden: 11 characters]@example.com\n4\tlast\n[notice: 3 secret values hidden: marks stand for them, the files still have them]"
	if got.Content.Text() != want {
		t.Errorf("content %q, want %q", got.Content.Text(), want)
	}
	b.put("key.txt", "-----BEGIN PRIVATE KEY-----\n"+strings.Repeat(key+"\n", 5)+"-----END PRIVATE KEY-----\n")
	if got := b.read("path", "key.txt", "offset", 4, "limit", 1); strings.Contains(got.Content.Text(), key) || !strings.Contains(got.Content.Text(), "[secret hidden: 64 characters]") {
		t.Errorf("the middle of a key: %q", got.Content.Text())
	}
	b.put("long.txt", strings.Repeat("x", 1990)+" "+token+strings.Repeat(" y", 5000)+"\n")
	if got := b.read("path", "long.txt"); strings.Contains(got.Content.Text(), "ghp_") || !strings.Contains(got.Content.Text(), hidden+"…") {
		t.Errorf("the end of a long line: %q", got.Content.Text()[1900:])
	}
	b.put("wide.txt", strings.Repeat("😀", 1990)+" "+token+"\n")
	if got := b.read("path", "wide.txt"); strings.Contains(got.Content.Text(), "ghp_") {
		t.Errorf("the end of a long line: %q", got.Content.Text()[7900:])
	}
	writer, err := b.outputs.Create("call")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = fmt.Fprintln(writer, "printed", token)
	_ = writer.Close()
	if got := b.read("path", "output:call"); strings.Contains(got.Content.Text(), token) {
		t.Errorf("an output: %q", got.Content.Text())
	}
}

func TestSEC10_SearchHidesValues(t *testing.T) {
	b := newBench(t).withSearch()
	key := strings.Repeat("aB3dE5gH7jK9mN1p", 4)
	b.put("notes.md", "first\ntoken: "+token+" end\nlast\n")
	b.put("key.txt", "key:\n-----BEGIN PRIVATE KEY-----\n"+strings.Repeat(key+"\n", 2)+"-----END PRIVATE KEY-----\nend of the key\n")
	for pattern, want := range map[string]string{
		"token": "notes.md:2: token: " + hidden + " end\n[notice: 1 secret values hidden: marks stand for them, the files still have them]",
		"end$":  "notes.md:2: token: " + hidden + " end\n[notice: 1 secret values hidden: marks stand for them, the files still have them]",
		// A value cannot be spelled out by asking often.
		"ghp_a": "[notice: no match in 2 files]", "ghp_[a-m]": "[notice: no match in 2 files]",
		"aB3dE5gH7jK9": "[notice: no match in 2 files]",
	} {
		if got := b.run("search_files", "pattern", pattern); got.Content.Text() != want {
			t.Errorf("%q: %q, want %q", pattern, got.Content.Text(), want)
		}
	}
	for pattern, context := range map[string]int{"first": 1, "end of": 3, "key:": 3, "last": 2} {
		got := b.run("search_files", "pattern", pattern, "context", context)
		if strings.Contains(got.Content.Text(), token) || strings.Contains(got.Content.Text(), key) || !strings.Contains(got.Content.Text(), "hidden: ") {
			t.Errorf("%q: %q", pattern, got.Content.Text())
		}
	}
	b.put("notes.md", strings.Repeat("x", 5000)+" token: "+token+strings.Repeat(" y", 50_000)+"\n")
	if got := b.run("search_files", "pattern", "token"); strings.Contains(got.Content.Text(), "ghp_") || !strings.Contains(got.Content.Text(), hidden) {
		t.Errorf("a long line: %q", got.Content.Text())
	}
}

func TestSEC10_MarksAreNotWritten(t *testing.T) {
	b := newBench(t)
	content := "first\ntoken: " + token + " end\nlast\n"
	b.put("notes.md", content)
	b.read("path", "notes.md")
	marked := "token: " + hidden + " end"
	wantCode(t, b.run("edit_file", "path", "notes.md", "edits", edits(marked, "token: none")), message.InvalidArguments, "stands for a hidden secret")
	wantCode(t, b.run("edit_file", "path", "notes.md", "edits", edits("first", marked)), message.InvalidArguments, "stands for a hidden secret")
	wantCode(t, b.run("write_file", "path", "notes.md", "content", "first\n"+marked+"\n"), message.InvalidArguments, "stands for a hidden secret")
	wantCode(t, b.run("write_file", "path", "copy.md", "content", marked), message.InvalidArguments, "stands for a hidden secret")
	if got := b.get("notes.md"); got != content {
		t.Errorf("the file has %q", got)
	}
	got := b.run("edit_file", "path", "notes.md", "edits", edits("first\ntoken:", "1st\nvalue:", "last", "end"))
	if want := strings.NewReplacer("first", "1st", "token:", "value:", "last", "end").Replace(content); !got.Success() || b.get("notes.md") != want {
		t.Errorf("%v: the file has %q, want %q", got.Error, b.get("notes.md"), want)
	}
	// What was not found is not shown either.
	b.put("notes.md", content)
	b.read("path", "notes.md")
	failed := b.run("edit_file", "path", "notes.md", "edits", edits("token: something end", "x"))
	if strings.Contains(failed.Text(), token) || !strings.Contains(failed.Text(), hidden) {
		t.Errorf("the nearest lines: %q", failed.Text())
	}
	// A file can be about marks.
	b.put("about.md", "A mark is "+hidden+"\n")
	b.read("path", "about.md")
	if got := b.run("edit_file", "path", "about.md", "edits", edits("A mark is "+hidden, "This is a mark: "+hidden)); !got.Success() {
		t.Errorf("a file about marks: %v", got.Error)
	}
}
