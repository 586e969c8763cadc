; The installer for Windows, for one user and without an administrator. build/package.sh
; defines VERSION, NUMBERS (the version as Windows wants it), COPYRIGHT, LEVEL (how hard to
; compress, 1 to 9), FOLDER (what to install) and OUT.
;
; /S installs without a window and /D=FOLDER, as the last argument, elsewhere. It ends with 0,
; or with 2 when nothing has been changed; then it tells why on standard output.
Target amd64-unicode
!include LogicLib.nsh
!include WinMessages.nsh

!define ENTRY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Fairlead"
!define USUAL "$LOCALAPPDATA\Programs\Fairlead"
; Another program's could be in the folder as well.
!define UNINSTALLER fairlead-uninstall.exe

Name Fairlead
OutFile "${OUT}"
InstallDir "${USUAL}"
RequestExecutionLevel user
ManifestDPIAware true
Icon icon.ico
UninstallIcon icon.ico
XPStyle on
AllowSkipFiles off
BrandingText "Fairlead ${VERSION}"
!if ${LEVEL} >= 9
	; A dictionary that holds both programs makes the installer smaller by a third. It takes
	; minutes and 700 MB of memory here, and 64 MB there.
	SetCompressor /SOLID lzma
	SetCompressorDictSize 64
!endif

; What files are called while others take their places.
!define NEW .fairlead-new
!define OLD .fairlead-old

; Why nothing can be done, and the file that this is about.
Var problem
Var file
; 1 where Fairlead is in the folder.
Var update
; 1 while files are being exchanged.
Var exchanging
; What the pages say.
Var introduction
Var completed

!include texts.nsh
!include path.nsh

VIProductVersion "${NUMBERS}"
VIFileVersion "${NUMBERS}"
!macro Describe LANGUAGE
	VIAddVersionKey /LANG=${LANGUAGE} ProductName Fairlead
	VIAddVersionKey /LANG=${LANGUAGE} ProductVersion "${VERSION}"
	VIAddVersionKey /LANG=${LANGUAGE} FileVersion "${VERSION}"
	VIAddVersionKey /LANG=${LANGUAGE} FileDescription "Fairlead Setup"
	VIAddVersionKey /LANG=${LANGUAGE} LegalCopyright "${COPYRIGHT}"
!macroend
!insertmacro Describe ${LANG_ENGLISH}
!insertmacro Describe ${LANG_SIMPCHINESE}

DirText $introduction
CompletedText $completed
UninstallText "$(Stays)"
Page directory "" showFolder leaveFolder
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

; EachFile inserts a macro for each file that is installed. The uninstaller is first: where it
; is, the other files are the installer's. It deletes itself last, apart from them.
!macro EachFile MACRO
	!ifndef __UNINSTALL__
		!insertmacro ${MACRO} ${UNINSTALLER}
	!endif
	!insertmacro ${MACRO} fairlead-window.exe
	!insertmacro ${MACRO} fairlead.exe
	!insertmacro ${MACRO} README.md
	!insertmacro ${MACRO} copyright.txt
!macroend

!macro FindInUse NAME
	!insertmacro FindOpen "${NAME}"
	!insertmacro FindOpen "${NAME}${OLD}"
!macroend
; Windows lets nobody write into a program that is running.
!macro FindOpen NAME
	${If} $file == ""
	${AndIf} ${FileExists} "$INSTDIR\${NAME}"
		ClearErrors
		FileOpen $0 "$INSTDIR\${NAME}" a
		${If} ${Errors}
			StrCpy $file "${NAME}"
		${Else}
			FileClose $0
		${EndIf}
	${EndIf}
!macroend

; DeleteOld, MoveAside and MoveBack are about a file that another takes the place of, or none.
; They leave in $file what cannot be moved or deleted.
!macro DeleteOld NAME
	ClearErrors
	Delete "$INSTDIR\${NAME}${OLD}"
	${If} ${Errors}
		StrCpy $file "${NAME}${OLD}"
	${EndIf}
!macroend
!macro MoveAside NAME
	${If} $file == ""
	${AndIf} ${FileExists} "$INSTDIR\${NAME}"
		ClearErrors
		Rename "$INSTDIR\${NAME}" "$INSTDIR\${NAME}${OLD}"
		${If} ${Errors}
			StrCpy $file "${NAME}"
		${EndIf}
	${EndIf}
!macroend
!macro MoveBack NAME
	${If} ${FileExists} "$INSTDIR\${NAME}${OLD}"
		Delete "$INSTDIR\${NAME}"
		Rename "$INSTDIR\${NAME}${OLD}" "$INSTDIR\${NAME}"
	${EndIf}
!macroend

; What the installer and the uninstaller both do; they cannot share functions.
!macro Shared UN
	; moveAside moves all files or none. It leaves in $file one that another program uses and
	; that the user does not close it for, or nothing.
	Function ${UN}moveAside
		again:
		StrCpy $file ""
		!insertmacro EachFile FindInUse
		${If} $file == ""
			!insertmacro EachFile DeleteOld
		${EndIf}
		${If} $file == ""
			!insertmacro EachFile MoveAside
			${If} $file != ""
				!insertmacro EachFile MoveBack
			${EndIf}
		${EndIf}
		${If} $file != ""
			StrCpy $problem "$(InUse)"
			MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$problem" /SD IDCANCEL IDRETRY again
		${EndIf}
	FunctionEnd

	; removeFolder removes the folder, and the one that Windows has for programs of a user, if
	; nothing is in it. A folder that a process works in cannot be removed.
	Function ${UN}removeFolder
		SetOutPath $TEMP
		RMDir $INSTDIR
		${If} $INSTDIR == "${USUAL}"
			RMDir "$LOCALAPPDATA\Programs"
		${EndIf}
	FunctionEnd

	; print writes $problem to standard output where no window shows it.
	Function ${UN}print
		${If} ${Silent}
			System::Call 'kernel32::GetStdHandle(i -11) p .r0'
			${If} $0 P= 0
				System::Call 'kernel32::AttachConsole(i -1)'
				System::Call 'kernel32::GetStdHandle(i -11) p .r0'
			${EndIf}
			FileWrite $0 "$problem$\r$\n"
		${EndIf}
	FunctionEnd
!macroend
!insertmacro Shared ""
!insertmacro Shared un.

Function .onInit
	ReadRegStr $0 HKCU "${ENTRY}" InstallLocation
	${If} $0 != ""
	${AndIf} $0 != $INSTDIR
	${AndIf} ${FileExists} "$0\${UNINSTALLER}"
		; Two would have one entry in the Start menu and in the list of programs.
		${If} $INSTDIR != "${USUAL}"
			StrCpy $file $0
			StrCpy $problem "$(Elsewhere)"
			MessageBox MB_OK|MB_ICONSTOP "$problem" /SD IDOK
			Call print
			SetErrorLevel 2
			Quit
		${EndIf}
		StrCpy $INSTDIR $0
	${EndIf}
	Call examineFolder
	StrCpy $introduction "$(Introduction)"
	${If} $update = 1
		StrCpy $introduction "$(IntroductionUpdate)"
	${EndIf}
	StrCpy $completed "$(Done)"
FunctionEnd

!macro FindForeign NAME
	${If} $file == ""
	${AndIf} ${FileExists} "$INSTDIR\${NAME}"
		StrCpy $file "${NAME}"
	${EndIf}
!macroend

; examineFolder leaves in $problem why the folder cannot be used, or nothing.
Function examineFolder
	StrCpy $problem ""
	StrCpy $file ""
	StrCpy $update 0
	${If} ${FileExists} "$INSTDIR\${UNINSTALLER}"
		StrCpy $update 1
	${Else}
		!insertmacro EachFile FindForeign
		${If} $file != ""
			StrCpy $problem "$(Foreign)"
		${EndIf}
	${EndIf}
FunctionEnd

Function showFolder
	; The folder of an update cannot be chosen. The field keeps the focus, so Enter installs.
	${If} $update = 1
		FindWindow $0 "#32770" "" $HWNDPARENT
		GetDlgItem $1 $0 1019
		SendMessage $1 ${EM_SETREADONLY} 1 0
		GetDlgItem $1 $0 1001
		EnableWindow $1 0
	${EndIf}
FunctionEnd

Function leaveFolder
	Call examineFolder
	${If} $problem != ""
		MessageBox MB_OK|MB_ICONSTOP "$problem"
		Abort
	${EndIf}
FunctionEnd

; Install FILE writes a new file beside the one of that name.
!macro Install NAME
	!if "${NAME}" == "${UNINSTALLER}"
		WriteUninstaller "$INSTDIR\${NAME}${NEW}"
	!else
		File "/oname=${NAME}${NEW}" "${FOLDER}/${NAME}"
	!endif
!macroend

!macro MoveNew NAME
	Rename "$INSTDIR\${NAME}${NEW}" "$INSTDIR\${NAME}"
!macroend

Section "" Files
	Call examineFolder
	${If} $problem != ""
		Call stop
	${EndIf}
	StrCpy $problem "$(NotWritten)"
	ClearErrors
	SetOutPath $INSTDIR
	${IfNot} ${Errors}
		!insertmacro EachFile Install
	${EndIf}
	${If} ${Errors}
		Call stop
	${EndIf}

	Call moveAside
	${If} $file != ""
		Call takeBack
		Abort $problem
	${EndIf}
	StrCpy $problem "$(NotWritten)"
	StrCpy $exchanging 1
	ClearErrors
	!insertmacro EachFile MoveNew
	${If} ${Errors}
		Call stop
	${EndIf}
	StrCpy $exchanging 0
	!insertmacro EachFile DeleteOld

	; Where a shortcut is made, there its program starts.
	SetOutPath $PROFILE
	CreateShortcut "$SMPROGRAMS\Fairlead.lnk" "$INSTDIR\fairlead-window.exe"
	WriteRegStr HKCU "${ENTRY}" DisplayName Fairlead
	WriteRegStr HKCU "${ENTRY}" DisplayVersion "${VERSION}"
	WriteRegStr HKCU "${ENTRY}" Publisher "Fairlead contributors"
	WriteRegStr HKCU "${ENTRY}" DisplayIcon "$INSTDIR\fairlead-window.exe"
	WriteRegStr HKCU "${ENTRY}" InstallLocation $INSTDIR
	WriteRegStr HKCU "${ENTRY}" UninstallString '"$INSTDIR\${UNINSTALLER}"'
	WriteRegStr HKCU "${ENTRY}" QuietUninstallString '"$INSTDIR\${UNINSTALLER}" /S'
	SectionGetSize ${Files} $0
	WriteRegDWORD HKCU "${ENTRY}" EstimatedSize $0
	WriteRegDWORD HKCU "${ENTRY}" NoModify 1
	WriteRegDWORD HKCU "${ENTRY}" NoRepair 1
	Call addToPath
SectionEnd

; stop ends the installation with $problem.
Function stop
	Call takeBack
	MessageBox MB_OK|MB_ICONSTOP "$problem" /SD IDOK
	Abort $problem
FunctionEnd

; Files that cannot be written end here too.
Function .onInstFailed
	Call takeBack
	Call print
FunctionEnd

!macro TakeBack NAME
	${If} $exchanging = 1
		${If} $update = 0
			Delete "$INSTDIR\${NAME}"
		${EndIf}
		!insertmacro MoveBack "${NAME}"
	${EndIf}
	Delete "$INSTDIR\${NAME}${NEW}"
!macroend

; takeBack makes the folder what it was.
Function takeBack
	!insertmacro EachFile TakeBack
	StrCpy $exchanging 0
	Call removeFolder
FunctionEnd

Function un.onInit
	StrCpy $completed "$(UninstallDone)"
	ReadRegStr $0 HKCU "${ENTRY}" InstallLocation
	; A copy of the uninstaller elsewhere would delete what lies beside it.
	${If} $0 != $INSTDIR
		StrCpy $problem "$(NotHere)"
		MessageBox MB_OK|MB_ICONSTOP "$problem" /SD IDOK
		Call un.print
		SetErrorLevel 2
		Quit
	${EndIf}
FunctionEnd

!macro DeleteNew NAME
	Delete "$INSTDIR\${NAME}${NEW}"
!macroend

; What else lies in the folder stays, and so does the folder then.
Section un.
	Call un.moveAside
	${If} $file != ""
		Abort $problem
	${EndIf}
	!insertmacro EachFile DeleteOld
	!insertmacro EachFile DeleteNew
	Delete "$SMPROGRAMS\Fairlead.lnk"
	Call un.removeFromPath
	DeleteRegKey HKCU "${ENTRY}"
	; The uninstaller is still ending, which has started this copy of it.
	${For} $1 1 50
		Delete "$INSTDIR\${UNINSTALLER}"
		${IfNot} ${FileExists} "$INSTDIR\${UNINSTALLER}"
			${Break}
		${EndIf}
		Sleep 100
	${Next}
	!insertmacro DeleteOld "${UNINSTALLER}"
	!insertmacro DeleteNew "${UNINSTALLER}"
	Call un.removeFolder
	StrCpy $problem "$(Stays)"
	Call un.print
SectionEnd

Function un.onUninstFailed
	Call un.print
FunctionEnd
