//go:build e2e && linux

package native

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"fairlead/backend/settings"
)

// lure is a server that nobody should ask. The test fails at its end when the page
// did.
type lure struct {
	url   string
	mu    sync.Mutex
	asked []string
}

func startLure(t *testing.T) *lure {
	t.Helper()
	l := &lure{}
	server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.asked = append(l.asked, r.Method+" "+r.URL.String())
	}))
	l.url = server.URL
	t.Cleanup(func() {
		if len(l.asked) > 0 {
			t.Errorf("the page asked for %q", l.asked)
		}
	})
	return l
}

// works asks the lure for something itself: it would notice.
func (l *lure) works(t *testing.T) {
	t.Helper()
	response, err := http.Get(l.url + "/here")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close() // it is empty
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.asked) != 1 || l.asked[0] != "GET /here" {
		t.Fatalf("the lure heard %q", l.asked)
	}
	l.asked = nil
}

// hostile are texts that would have the page load something from LURE, run a
// script, or go elsewhere. A script changes the title, which the window shows.
const hostile = `
![image](LURE/markdown.png)
![image][reference]

[reference]: LURE/reference.png

| table |
|-------|
| ![image](LURE/table.png) |
| <img src="LURE/cell.png"> |

<img src="LURE/html.png" onerror="document.title='owned'">
<img src=x onerror="document.title='owned'">
<img srcset="LURE/srcset.png 1x">
<picture><source srcset="LURE/source.png"><img src="LURE/picture.png"></picture>
<script>document.title='owned'</script>
<script src="LURE/script.js"></script>
<svg onload="document.title='owned'"><image href="LURE/svg.png"/><use href="LURE/use.svg#x"/></svg>
<iframe src="LURE/iframe.html"></iframe>
<iframe srcdoc="<script>parent.document.title='owned'</script>"></iframe>
<object data="LURE/object"></object>
<embed src="LURE/embed">
<video poster="LURE/poster.png" src="LURE/video.mp4" autoplay></video>
<audio src="LURE/audio.mp3" autoplay></audio>
<link rel="stylesheet" href="LURE/link.css">
<link rel="prefetch" href="LURE/prefetch">
<link rel="icon" href="LURE/icon.png">
<meta http-equiv="refresh" content="0;url=LURE/refresh">
<base href="LURE/base/">
<style>@import url("LURE/import.css"); body { background: url("LURE/style.png") }</style>
<p style="background: url('LURE/inline.png')">styled</p>
<form action="LURE/form" method="post"><input name="a" autofocus onfocus="document.title='owned'"><button>Approve</button></form>
<details open ontoggle="document.title='owned'"><summary>s</summary></details>
<math><mtext></mtext><style><img src="LURE/mutated.png" onerror="document.title='owned'"></style></math>
<noscript><p title="</noscript><img src=LURE/noscript.png onerror=document.title='owned'>"></noscript>

[script](javascript:document.title='owned')
[encoded](&#106;avascript:document.title='owned')
[data](data:text/html,<script>document.title='owned'</script>)
[file](file:///etc/passwd)
[visual](vbscript:x)
<a href="javascript:document.title='owned'">anchor</a>
<a href="LURE/ping" ping="LURE/pinged">ping</a>
<LURE/autolink>
`

func TestSEC04_NothingTheModelWritesLoadsOrRuns(t *testing.T) {
	lure := startLure(t)
	lure.works(t)
	p := emptyPlace(t, "")
	text := strings.ReplaceAll(hostile, "LURE", lure.url)
	p.write("page.html", text)
	p.write("page.md", text)
	// The same comes as text, as reasoning, as arguments of a call with their
	// preview, and as output of a tool.
	p.model = startModel(t, "reasoning "+strconv.Quote(text)+"\ntext "+strconv.Quote(text)+`
call c1 read_file {"path":"page.html"}
---
call c2 shell {"command":"cat page.md # <img src=`+lure.url+`/command.png>"}
---
call c3 write_file {"path":"<img src=x onerror=alert(1)>.md","content":`+strconv.Quote("<img src="+lure.url+"/content.png>")+`}
---
text `+strconv.Quote(text+"\n\nThe end.")+"\n---\ntext Still here.\n")
	p.remember(settings.State{
		Workspace: p.workspace, Recent: []string{p.workspace}, Model: settings.ModelChoice{BaseURL: p.model.url, Model: "scripted"},
	})
	w := p.open()
	w.ask("show me")
	w.dialog(runTitle)
	w.press("confirm.approve")
	w.dialog(changeTitle)
	w.press("confirm.approve")
	w.sees("The end.")
	// A second answer gives everything that would load the time to.
	w.ask("again")
	w.sees("Still here.")
	if title := w.find(query{Role: "document web"}).Name; title != "Fairlead" {
		t.Errorf("a script ran: the title is %q", title)
	}
	for _, role := range []string{"dialog", "alert", "internal frame"} {
		if w.has(query{Role: role, States: []string{"showing"}}) {
			t.Errorf("there is an open %s", role)
		}
	}
}
