//go:build e2e && linux

package native

import "testing"

func TestUI07_ATaskInEnglishAndOneInChinese(t *testing.T) {
	p := newPlace(t, "text First answer.\n---\ntext 第二个回答。\n")
	w := p.open()
	for i, prompt := range []string{
		`Say "yes" & count to 10; {x} \ $HOME ~ é`,
		"请读取这个文件夹，然后用中文总结——“一句话”即可。",
	} {
		w.ask(prompt)
		w.sees([]string{"First answer.", "第二个回答。"}[i])
		if got := p.model.task(i + 1); got != prompt {
			t.Errorf("the model was sent %q, not %q", got, prompt)
		}
	}
}

func TestUI07_TheWindowAndItsDialogsInChinese(t *testing.T) {
	p := newPlace(t, `
call c1 write_file {"path":"报告.txt","content":"你好\n"}
---
call c2 shell {"command":"touch ran"}
---
text 完成了。
`)
	p.speak("zh-CN")
	w := p.open()
	w.ask("写一份报告")
	question := w.dialog("Fairlead：修改文件？")
	question.press("批准")
	question.gone()
	question = w.dialog("Fairlead：运行命令？")
	if got := p.read("报告.txt"); got != "你好\n" {
		t.Errorf("the file is %q", got)
	}
	w.press("confirm.reject")
	question.gone()
	w.sees("完成了。")
	w.find(query{Role: "combo box", Name: p.words.word("shell.model.label", "name", "scripted")})
	if p.exists("ran") {
		t.Error("the rejected command ran")
	}
}
