package desktop

import (
	"os"
	"strings"

	"fairlead/backend/message"
)

// wording is what native dialogs say in one language.
type wording struct {
	chooseFolder              string
	runTitle, writeTitle      string
	run, write, tooLong       string
	callTitle, call           string
	networkTitle, network     string
	fetchTitle, fetch         string
	folder                    string
	approve, reject, inWindow string
	allow, deny               string
	// How far a command is kept in, at each level; empty leaves it to the program's own
	// sentence, which is in English and says more.
	full, limited, none string
}

var english = wording{
	chooseFolder: "Choose the folder to work on",
	runTitle:     "Fairlead: run a command?", writeTitle: "Fairlead: change a file?",
	run: "The model wants to run this command:", write: "The model wants to change this file:",
	callTitle: "Fairlead: carry out a call?", call: "The model wrote this call into its text:",
	tooLong:      "It is too long to be shown whole here. Review it in the window.",
	networkTitle: "Fairlead: allow the network?",
	network:      "This command asks for the network. What it can read, it can send anywhere:",
	fetchTitle:   "Fairlead: fetch from a new host?", fetch: "The model wants to fetch this address, which tells its host what is asked for:",
	folder:  "In the folder",
	approve: "Approve", reject: "Reject", inWindow: "Review in window",
	allow: "Allow once", deny: "Do not allow",
}

var chinese = wording{
	chooseFolder: "选择要处理的文件夹",
	runTitle:     "Fairlead：运行命令？", writeTitle: "Fairlead：修改文件？",
	run: "模型想运行这条命令：", write: "模型想修改这个文件：",
	callTitle: "Fairlead：执行调用？", call: "模型在文本中写出了这个调用：",
	tooLong:      "内容太长，无法在此完整显示。请在窗口中查看。",
	networkTitle: "Fairlead：允许使用网络？",
	network:      "这条命令要求使用网络。它能读取的内容，都可能被发送出去：",
	fetchTitle:   "Fairlead：从新的主机获取内容？", fetch: "模型想获取这个网址，请求的内容会被该主机知道：",
	folder:  "所在文件夹",
	approve: "批准", reject: "拒绝", inWindow: "在窗口中查看",
	allow: "允许一次", deny: "不允许",
	full:    "已隔离：这条命令只能修改此文件夹和一个私有临时文件夹，无法读取您的其他文件和密钥。",
	limited: "部分隔离：这条命令只能写入此文件夹，无法读取您的密钥；隔离仍有缺口。",
	none:    "未隔离：这条命令以您的全部权限运行，可以读取您的文件和密钥。",
}

// confinement says how far a command is kept in.
func (w wording) confinement(preview message.Preview) string {
	text := map[message.Level]string{
		message.LevelFull: w.full, message.LevelLimited: w.limited, message.LevelNone: w.none,
	}[preview.Level]
	if text == "" {
		return preview.Confinement
	}
	return text
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
