package desktop

import (
	"fmt"
	"strings"

	"fairlead/backend/message"
)

// wording is what native dialogs say in one language.
type wording struct {
	chooseFolder string
	// What notices of each kind say.
	notices map[string]string
	// What is asked for files.
	chooseFiles          string
	runTitle, writeTitle string
	run, write, tooLong  string
	// The same where the user edited what is asked about.
	runEdited, writeEdited string
	// The same about the memory of the folder.
	noteTitle, note, noteEdited string
	callTitle, call             string
	// The same about a tool that shows nothing of what it will do but its arguments.
	use, useNetwork       string
	networkTitle, network string
	fetchTitle, fetch     string
	folder, conversation  string
	// marked begins the line that says what the marks in a command are, in the words of
	// dangers, with comma between two.
	marked, comma string
	dangers       map[message.Danger]string
	scroll        string
	// What is asked before a setting is saved.
	settingTitle, save, cancel         string
	ownAddress, keyVariable            string
	fewerDialogs, background, noDialog string
	saveSetting                        string
	// What is asked about the changes of a command: by their kinds, with the reasons why some
	// are held; a reason that is not there is left to the program's own words, in English.
	keepTitle, keep string
	// asAWhole says of a repository or a database of how many paths it is.
	asAWhole       string
	applyAll, drop string
	kinds          map[string]string
	held           map[message.HeldCode]string
	// reveal and hide answer whether the model may see keys in an output.
	outputTitle, output, reveal, hide string
	approve, reject, inWindow         string
	// What is asked before a server may reach hosts, or is sent what the model writes.
	serverTitle, serverReaches, serverAddress, letReach string
	// What is asked before the browser is opened to sign in to a server, with the server and whom the
	// user signs in with.
	signInTitle, signIn, openBrowser string
	// What is asked about a call of a tool of a server.
	server serverWords
	// What is asked before commands may read a file with keys.
	readTitle, read, letRead string
	allow, deny              string
	// How far a command is kept in, at each level; empty leaves it to the program's own
	// sentence, which is in English and says more.
	full, limited, none string
	// What of a command's changes cannot be taken back: nothing of it, or files that lost
	// begins to name; empty leaves it to the program's own sentence, which is in English.
	undoNone, lost, frees string
	// Which addresses a request does not reach; empty leaves it to the program's own
	// sentence, which is in English.
	checked, unchecked string
	// alone begins the sentence about a file that programs act on by themselves. autorun
	// says what they do; empty leaves it to the program's own sentence, which is in English.
	alone   string
	autorun autorunWords
}

// autorunWords say what the programs do that act on a file by themselves.
type autorunWords struct{ git, editor, assistant, shell, environment, task, ci, other string }

var english = wording{
	chooseFolder: "Choose the folder to work on",
	notices:      map[string]string{noticeNeeds: "Fairlead needs you", noticeDone: "A task is done", noticeFailed: "A task stopped"},
	chooseFiles:  "Choose files",
	runTitle:     "Fairlead: run a command?", writeTitle: "Fairlead: change a file?",
	run: "The model wants to run this command:", write: "The model wants to change this file:",
	noteTitle: "Fairlead: remember this?", note: "The model wants to add this to the memory of the folder, which lies outside of it:",
	noteEdited: "Add this to the memory of the folder, as you edited it?",
	callTitle:  "Fairlead: carry out a call?", call: "The model wrote this call into its text:",
	use: "The model wants to use this tool:", useNetwork: "The model wants to use this tool, which sends a request over the network:",
	tooLong:      "It is too long to be shown whole here. Review it in the window.",
	networkTitle: "Fairlead: allow the network?",
	network:      "This command asks for the network. What it can read, it can send anywhere:",
	fetchTitle:   "Fairlead: fetch from a new host?", fetch: "The model wants to fetch this address, which tells its host what is asked for:",
	runEdited: "Run this command, as you edited it?", writeEdited: "Change this file, as you edited it?",
	folder: "In the folder", conversation: "Conversation",
	marked: "Marked:", comma: ", ", dangers: map[message.Danger]string{
		message.Deletes: "deletes", message.Forces: "forces", message.UsesNetwork: "network", message.Outside: "outside the folder",
		message.Interprets: "runs as a program what another one writes",
	},
	scroll:       "Scroll to the end to approve.",
	settingTitle: "Fairlead: change a setting?", save: "Save", cancel: "Cancel",
	ownAddress:   "Your tasks, files and key will be sent to this address, which Fairlead does not know:",
	keyVariable:  "The key is to be taken from this environment variable and sent to this address:",
	fewerDialogs: "Questions are to be asked less often outside of the page of the window, also those about the network:",
	saveSetting:  "This is to be written into the settings file. It decides where your tasks and keys go, or what commands can read:",
	background:   "only when Fairlead is not in front", noDialog: "never",
	applyAll: "Apply all", drop: "Drop",
	asAWhole:  "(%d paths, as a whole)",
	keepTitle: "Fairlead: keep changes?", keep: "A command has changed this in its copy of the folder:",
	outputTitle: "Fairlead: show a key?", output: "This command has printed what looks like a key. The model sees it only if you say so:",
	reveal: "Show the model", hide: "Keep hidden",
	readTitle: "Fairlead: let commands read a file with keys?",
	read:      "The commands of this conversation will read this file without a question, and what they print goes to the model:",
	letRead:   "Let them read",
	kinds:     map[string]string{"created": "new", "modified": "changed", "deleted": "deleted", "moved": "moved"},
	approve:   "Approve", reject: "Reject", inWindow: "Review in window",
	allow: "Allow once", deny: "Do not allow",
	alone:       "Runs by itself: ",
	serverTitle: "Fairlead: let a server have the network?", letReach: "Let it run",
	serverReaches: "This MCP server may then reach these hosts, and send them what it is given:",
	serverAddress: "What the model writes for this MCP server is then sent to this address:",
	signInTitle:   "Fairlead: open the browser?", openBrowser: "Open the browser",
	signIn: "To sign in to the MCP server %s with %s, the browser is sent to this address:",
	server: serverWords{
		call: "The model wants to call this tool of an MCP server:", callNetwork: "The model wants to call this tool of an MCP server, which has the network:",
		network: "This call of an MCP server's tool has the network. What the server can read, it can send there:",
		runs:    "The server runs", address: "The server is at", readOnly: "The server says that the tool changes nothing.",
	},
}

var chinese = wording{
	chooseFolder: "选择要处理的文件夹",
	notices:      map[string]string{noticeNeeds: "Fairlead 需要你处理", noticeDone: "任务已完成", noticeFailed: "任务已停止"},
	chooseFiles:  "选择文件",
	runTitle:     "Fairlead：运行命令？", writeTitle: "Fairlead：修改文件？",
	run: "模型想运行这条命令：", write: "模型想修改这个文件：",
	noteTitle: "Fairlead：记住这个？", note: "模型想把下面的内容加入这个文件夹的记忆（保存在文件夹之外）：",
	noteEdited: "按修改后的内容加入这个文件夹的记忆？",
	callTitle:  "Fairlead：执行调用？", call: "模型把这个调用写在了正文里：",
	use: "模型想使用这个工具：", useNetwork: "模型想使用这个工具，它会通过网络发送请求：",
	tooLong:      "内容太长，无法在此完整显示。请在窗口中查看。",
	networkTitle: "Fairlead：允许访问网络？",
	network:      "这条命令要求访问网络。它能读取的任何内容都可能被发送出去：",
	fetchTitle:   "Fairlead：从新的主机获取内容？", fetch: "模型想获取这个网址，该主机会看到请求的内容：",
	runEdited: "运行修改后的命令？", writeEdited: "按修改后的内容更改这个文件？",
	folder: "所在文件夹", conversation: "对话",
	marked: "已标出：", comma: "、", dangers: map[message.Danger]string{
		message.Deletes: "删除", message.Forces: "强制", message.UsesNetwork: "网络", message.Outside: "文件夹之外",
		message.Interprets: "把其他命令的输出当作程序运行",
	},
	scroll:       "滚动到末尾后才能批准。",
	settingTitle: "Fairlead：更改设置？", save: "保存", cancel: "取消",
	ownAddress:   "任务、文件和密钥将发送到这个 Fairlead 未知的地址：",
	keyVariable:  "密钥将取自这个环境变量，并发送到这个地址：",
	fewerDialogs: "将减少在窗口页面之外的询问，包括有关网络的询问：",
	saveSetting:  "将写入设置文件。它决定任务和密钥发往何处，或命令能读取什么：",
	background:   "仅当 Fairlead 不在前台时", noDialog: "从不",
	applyAll: "全部应用", drop: "放弃",
	asAWhole:  "（%d 个路径，作为整体）",
	keepTitle: "Fairlead：保留更改？", keep: "一条命令在文件夹的副本中做了这些更改：",
	outputTitle: "Fairlead：显示密钥？", output: "这条命令输出了疑似密钥的内容。只有经你同意，模型才能看到：",
	reveal: "让模型看到", hide: "保持隐藏",
	readTitle: "Fairlead：允许命令读取含密钥的文件？",
	read:      "此对话中的命令将不经询问读取这个文件，命令的输出会发送给模型：",
	letRead:   "允许读取",
	kinds:     map[string]string{"created": "新增", "modified": "修改", "deleted": "删除", "moved": "移动"},
	held: map[message.HeldCode]string{
		message.HeldRepository: "它属于一个新的仓库", message.HeldSetID: "它会以所有者或所属组的权限运行", message.HeldOutside: "它指向文件夹之外",
		message.HeldDeletions: "一次删除了很多文件", message.HeldMeanwhile: "在此期间它已被他人修改", message.HeldMerged: "在此期间他人修改了其他位置，应用时会将两者合并", message.HeldOpen: "另一个程序正在写入它",
	},
	approve: "批准", reject: "拒绝", inWindow: "在窗口中查看",
	allow: "允许一次", deny: "不允许",
	full:      "已隔离：这条命令只能修改此文件夹和专用的临时文件夹，无法读取其他文件和密钥。",
	limited:   "部分隔离：这条命令只能写入此文件夹，无法读取密钥，但隔离并不完整。",
	checked:   "指向本机和内网的请求会被拒绝。",
	unchecked: "域名由所设置的代理解析，因此无法检查它是否指向本机或内网。",
	alone:     "会自动运行：",
	autorun: autorunWords{
		git: "git 会运行其中的内容", editor: "打开文件夹时，编辑器可能运行其中的内容", assistant: "编程助手会遵照其中的内容",
		shell: "Shell 和终端启动时，可能运行其中的内容", environment: "使用此项目时，由它决定运行哪些程序",
		task: "任务工具和 git 钩子会运行其中的内容", ci: "推送之后，CI 服务会运行其中的内容", other: "其他程序会运行其中的内容",
	},
	undoNone: "此命令的更改无法撤销。", lost: "以下文件无法保留副本，对它们的更改无法撤销：", frees: "为保留此次更改的副本，将删除最早的更改的副本，那些更改不再能撤销。",
	serverTitle: "Fairlead：允许服务器访问网络？", letReach: "允许运行",
	serverReaches: "这个 MCP 服务器将可以访问这些主机，并把它得到的内容发送过去：",
	serverAddress: "模型写给这个 MCP 服务器的内容将发送到这个地址：",
	signInTitle:   "Fairlead：打开浏览器？", openBrowser: "打开浏览器",
	signIn: "为登录 MCP 服务器 %s（由 %s 验证），浏览器将打开这个地址：",
	server: serverWords{
		call: "模型想调用 MCP 服务器的这个工具：", callNetwork: "模型想调用 MCP 服务器的这个工具，该服务器可以访问网络：",
		network: "对 MCP 服务器工具的这次调用可以访问网络。该服务器能读取的任何内容都可能被发送出去：",
		runs:    "服务器运行", address: "服务器位于", readOnly: "服务器自称这个工具不做任何更改。",
		none: "看不到文件夹", read: "可以读取文件夹", write: "可以读取和更改文件夹", offline: "没有网络", hosts: "可以访问", variables: "获得变量",
		elsewhere: "服务器不在本机：参数会发送给它。", holds: "系统将服务器限制在此范围内：", open: "系统无法将服务器限制在此范围内，它的权限更大：",
	},
	none: "未隔离：这条命令以你的全部权限运行，可以读取你的文件和密钥。",
}

// confinementText returns in words how far a command is kept in.
func (w wording) confinementText(preview message.Preview) string {
	text := map[message.Level]string{
		message.LevelFull: w.full, message.LevelLimited: w.limited, message.LevelNone: w.none,
	}[preview.Level]
	if text == "" {
		return preview.Confinement
	}
	return text
}

// undoText returns in words what of a command's changes cannot be taken back; empty where all
// can.
func (w wording) undoText(undo *message.Undo) string {
	text := undo.Sentence()
	switch {
	case text == "" || w.undoNone == "":
		return text
	case undo.Quality == message.UndoNone:
		return w.undoNone
	}
	text = ""
	if names := make([]string, len(undo.Lost)); len(names) > 0 {
		for i, path := range undo.Lost {
			names[i] = message.Inline(path)
		}
		text = w.lost + strings.Join(names, w.comma)
		if undo.More > 0 {
			text += fmt.Sprintf("（另有 %d 个）", undo.More)
		}
		text += "。"
	}
	if undo.Frees {
		text += w.frees
	}
	return text
}

// addressesText returns in words which addresses a request does not reach.
func (w wording) addressesText(preview message.Preview) string {
	text := map[message.Addresses]string{message.AddressesChecked: w.checked, message.AddressesUnchecked: w.unchecked}[preview.Addresses]
	if text == "" {
		return preview.Confinement
	}
	return text
}

// heldText says why a change is held.
func (w wording) heldText(held message.Held) string {
	if held.Code == message.HeldAutorun {
		return w.runsByItself(held.Autorun)
	}
	if text := w.held[held.Code]; text != "" {
		return text
	}
	return held.String()
}

// runsByItself says which programs run by themselves what a file says.
func (w wording) runsByItself(programs message.Autorun) string {
	text, known := map[message.Autorun]string{
		message.AutorunGit: w.autorun.git, message.AutorunEditor: w.autorun.editor, message.AutorunAssistant: w.autorun.assistant,
		message.AutorunShell: w.autorun.shell, message.AutorunEnvironment: w.autorun.environment,
		message.AutorunTask: w.autorun.task, message.AutorunCI: w.autorun.ci,
	}[programs]
	if !known {
		text = w.autorun.other
	}
	if text == "" {
		text = programs.Sentence()
	}
	return w.alone + text
}

// wordingOf returns the wording of a language: en, or zh-CN.
func wordingOf(language string) wording {
	if language == "zh-CN" {
		return chinese
	}
	return english
}

// language is the one that the user chose, or the system's.
func (w *Window) language() string { return w.remembered.language() }
