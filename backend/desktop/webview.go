//go:build desktop || dev || bindings

package desktop

import (
	"path/filepath"

	"github.com/wailsapp/wails/v2/pkg/options/windows"
)

// windowsOptions are the window's options on Windows. What WebView2 keeps lies in
// Fairlead's own folder, so that --data-dir holds for it too; the library would put it
// beside the folders of other programs.
func (w *Window) windowsOptions() *windows.Options {
	messages := windows.DefaultMessages()
	if w.language() == "zh-CN" {
		messages = chineseMessages()
	}
	return &windows.Options{
		Theme: windows.SystemDefault, DisablePinchZoom: true, Messages: messages,
		WebviewUserDataPath: filepath.Join(w.folders.State, "webview"),
	}
}

// chineseMessages are what the library says before there is a page, about WebView2.
func chineseMessages() *windows.Messages {
	return &windows.Messages{
		InstallationRequired: "需要 WebView2 运行时。按“确定”下载并安装。安装在后台进行，请稍候。",
		UpdateRequired:       "WebView2 运行时需要更新。按“确定”下载并安装。安装在后台进行，请稍候。",
		MissingRequirements:  "缺少必需的组件",
		Webview2NotInstalled: "未安装 WebView2 运行时",
		Error:                "错误",
		FailedToInstall:      "运行时未能正确安装，请重试。",
		DownloadPage:         "本程序需要 WebView2 运行时。按“确定”打开下载页面。最低版本：",
		PressOKToInstall:     "按“确定”安装。",
		ContactAdmin:         "运行本程序需要 WebView2 运行时。请联系系统管理员。",
		InvalidFixedWebview2: "指定的 WebView2 运行时无效。请检查其路径和最低版本。",
		WebView2ProcessCrash: "WebView2 进程已崩溃，需要重新启动本程序。",
	}
}
