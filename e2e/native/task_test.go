//go:build e2e

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
