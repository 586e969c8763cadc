package desktop

import (
	"strings"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// serverCalled is a question about a call of a tool of a server.
func serverCalled(change func(*message.Preview)) event.ConfirmRequest {
	preview := message.Preview{
		Effect: message.EffectCommand, Level: message.LevelFull, Confinement: "The system holds the server to this.",
		ServerCall: &message.ServerCall{
			Server: "notes", Tool: "write_note", Arguments: "{\n  \"path\": \"a.txt\"\n}", Runs: "/opt/notes --quiet", Folder: "write",
			Hosts: []string{"api.example.org:443"}, Variables: []string{"ZONE"}, ReadOnly: true,
		},
	}
	if change != nil {
		change(&preview)
	}
	return event.ConfirmRequest{ToolName: "mcp_call", Preview: preview}
}

func TestEXT03_TheDialogShowsTheWholeCallOfAServer(t *testing.T) {
	for _, language := range []string{"en", "zh-CN"} {
		w := wordingOf(language)
		q := newQuestion(serverCalled(nil), toolTitle, w)
		for _, want := range []string{"notes / write_note", `"path": "a.txt"`, "/opt/notes --quiet", w.server.call, w.server.readOnly} {
			if !strings.Contains(shows(q), want) {
				t.Errorf("%s: %q is missing in\n%s", language, want, shows(q))
			}
		}
		if q.network || q.unseen || q.dialog.Yes != w.approve {
			t.Errorf("%s: %+v", language, q)
		}
		q = newQuestion(serverCalled(func(p *message.Preview) { p.Effect, p.Network = message.EffectNetwork, true }), toolTitle, w)
		if !q.network || q.dialog.Yes != w.allow || q.dialog.No != w.deny || q.dialog.Heading != w.server.network {
			t.Errorf("%s: the network is asked about with %+v", language, q)
		}
		q = newQuestion(serverCalled(func(p *message.Preview) {
			p.Effect, p.ServerCall.Elsewhere, p.ServerCall.Runs, p.URL = message.EffectNetwork, true, "https://example.org/mcp", "https://example.org/mcp"
		}), toolTitle, w)
		if q.network || q.dialog.Heading != w.server.callNetwork || !strings.Contains(shows(q), w.server.address+" https://example.org/mcp") {
			t.Errorf("%s: %+v", language, q)
		}
		q = newQuestion(serverCalled(func(p *message.Preview) { p.ServerCall.Arguments = strings.Repeat("x\n", 40) }), toolTitle, w)
		if !q.unseen || q.dialog.Yes != "" {
			t.Errorf("%s: what is not shown whole can be approved: %+v", language, q)
		}
	}
}

func TestEXT01_TheChineseDialogSaysTheGrantInChinese(t *testing.T) {
	w := wordingOf("zh-CN")
	for want, change := range map[string]func(*message.Preview){
		"系统将服务器限制在此范围内：可以读取和更改文件夹；可以访问 api.example.org:443；获得变量 ZONE。": nil,
		"系统无法将服务器限制在此范围内，它的权限更大：看不到文件夹；没有网络。": func(p *message.Preview) {
			p.Level, p.ServerCall.Folder, p.ServerCall.Hosts, p.ServerCall.Variables = message.LevelNone, "none", nil, nil
		},
		"服务器不在本机：参数会发送给它。": func(p *message.Preview) { p.ServerCall.Elsewhere = true },
	} {
		if got := w.grantText(serverCalled(change).Preview); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
