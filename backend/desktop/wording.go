package desktop

import (
	"os"
	"strings"
)

// wording is what native dialogs say in one language.
type wording struct {
	chooseFolder              string
	runTitle, writeTitle      string
	run, write, tooLong       string
	callTitle, call           string
	folder                    string
	approve, reject, inWindow string
}

var english = wording{
	chooseFolder: "Choose the folder to work on",
	runTitle:     "Fairlead: run a command?", writeTitle: "Fairlead: change a file?",
	run: "The model wants to run this command:", write: "The model wants to change this file:",
	callTitle: "Fairlead: carry out a call?", call: "The model wrote this call into its text:",
	tooLong: "It is too long to be shown whole here. Review it in the window.",
	folder:  "In the folder",
	approve: "Approve", reject: "Reject", inWindow: "Review in window",
}

var chinese = wording{
	chooseFolder: "选择要处理的文件夹",
	runTitle:     "Fairlead：运行命令？", writeTitle: "Fairlead：修改文件？",
	run: "模型想运行这条命令：", write: "模型想修改这个文件：",
	callTitle: "Fairlead：执行调用？", call: "模型在文本中写出了这个调用：",
	tooLong: "内容太长，无法在此完整显示。请在窗口中查看。",
	folder:  "所在文件夹",
	approve: "批准", reject: "拒绝", inWindow: "在窗口中查看",
}

// words returns the wording of a language: en, or zh-CN.
func words(language string) wording {
	if language == "zh-CN" {
		return chinese
	}
	return english
}

// language is the one that the person chose, or the system's.
func (w *Window) language() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state.Language != "" {
		return w.state.Language
	}
	for _, variable := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := os.Getenv(variable); value != "" {
			if strings.HasPrefix(value, "zh") {
				return "zh-CN"
			}
			break
		}
	}
	return "en"
}
