; What the installer and the uninstaller say. Windows' language decides.
LoadLanguageFile "${NSISDIR}\Contrib\Language files\English.nlf"
LoadLanguageFile "${NSISDIR}\Contrib\Language files\SimpChinese.nlf"

!macro Text NAME ENGLISH CHINESE
	LangString ${NAME} ${LANG_ENGLISH} "${ENGLISH}"
	LangString ${NAME} ${LANG_SIMPCHINESE} "${CHINESE}"
!macroend

!insertmacro Text Introduction \
	"Fairlead ${VERSION} is installed into this folder, for you alone. It appears in the Start menu, and its folder is added to your PATH, so that terminals find the command fairlead." \
	"Fairlead ${VERSION} 将安装到此文件夹，仅供当前用户使用。它会出现在“开始”菜单中，所在文件夹会加入 PATH，以便在终端中使用 fairlead 命令。"
!insertmacro Text IntroductionUpdate \
	"Fairlead in this folder is replaced with version ${VERSION}. Your settings and conversations stay as they are." \
	"此文件夹中的 Fairlead 将更新为 ${VERSION} 版。设置和对话保持不变。"
!insertmacro Text Done \
	"Fairlead is installed; it is in the Start menu." \
	"Fairlead 已安装，可从“开始”菜单打开。"
!insertmacro Text UninstallDone \
	"Fairlead is removed." \
	"Fairlead 已卸载。"
!insertmacro Text Elsewhere \
	"Fairlead is already installed in $file. Remove it there first; your settings and conversations will stay. Nothing has been changed." \
	"Fairlead 已安装在 $file。请先将其卸载，设置和对话会保留。未做任何更改。"
!insertmacro Text Foreign \
	"The folder $INSTDIR already has a file $file, which was not installed there. Choose another folder. Nothing has been changed." \
	"文件夹 $INSTDIR 中已有文件 $file，它不是由安装程序写入的。请选择其他文件夹。未做任何更改。"
!insertmacro Text NotWritten \
	"Fairlead cannot be written to $INSTDIR. Check that there is space and that you may write there, or choose another folder. Nothing has been changed." \
	"无法将 Fairlead 写入 $INSTDIR。请检查磁盘空间和写入权限，或选择其他文件夹。未做任何更改。"
!insertmacro Text InUse \
	"Fairlead is running, or another program uses $file. Close its window, end what it runs in terminals, and try again. Nothing has been changed." \
	"Fairlead 正在运行，或者 $file 正被其他程序使用。请关闭窗口，结束终端中的运行，然后重试。未做任何更改。"
!insertmacro Text NotHere \
	"Fairlead is not installed in $INSTDIR. Nothing has been changed." \
	"Fairlead 没有安装在 $INSTDIR。未做任何更改。"
!insertmacro Text Stays \
	"Your settings, conversations and drafts stay in %LOCALAPPDATA%\fairlead, what the window's web view has stored in %APPDATA%\fairlead-window.exe. Delete these folders to have them gone. Keys stay in the Credential Manager of Windows." \
	"设置、对话和草稿保留在 %LOCALAPPDATA%\fairlead，窗口的网页组件保存的数据保留在 %APPDATA%\fairlead-window.exe。如不再需要，删除这两个文件夹即可。密钥保留在 Windows 的凭据管理器中。"
!insertmacro Text PathStays \
	"Your PATH stays as it is: with this folder it would be longer than the 2047 characters that Windows lets you edit, or the folder's name has a semicolon or a percent sign." \
	"PATH 保持不变：加入此文件夹后，其长度会超过 Windows 允许编辑的 2047 个字符，或者文件夹名称含有分号或百分号。"
