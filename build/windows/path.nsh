; Adds the folder to the user's PATH, and takes it out again. A string of NSIS ends at 1024
; characters, and a longer PATH that went through one would be cut or lost. So Windows'
; own functions work on a copy in memory, and the value stays of the kind that it is.

; What Windows' dialog for variables can edit.
!define PATH_LIMIT 2047
; HKEY_CURRENT_USER in a program of 64 bits.
!define CURRENT_USER -2147483647
!define NOT_FOUND 2
!define REG_SZ 1
!define REG_EXPAND_SZ 2

!macro PathFunctions UN
	; readPath opens the key of the variables in $1 and leaves in $2 the kind of PATH, and in
	; $4 a buffer that begins with it, between two semicolons, and has space for the
	; folder. It leaves 0 in $0, or something else if PATH cannot be read.
	Function ${UN}readPath
		System::Call 'advapi32::RegCreateKeyW(p ${CURRENT_USER}, w "Environment", *p .r1) i .r0'
		System::Call 'advapi32::RegQueryValueExW(p r1, w "Path", p 0, *i .r2, p 0, *i .r3) i .r0'
		${If} $0 = ${NOT_FOUND}
			StrCpy $2 ${REG_EXPAND_SZ}
			StrCpy $3 0
		${EndIf}
		IntOp $5 $3 + ${NSIS_MAX_STRLEN}
		IntOp $5 $5 + ${NSIS_MAX_STRLEN}
		; The buffer is of zeros, so what is read into it has an end.
		System::Call 'kernel32::GlobalAlloc(i 0x40, p r5) p .r4'
		System::Call 'kernel32::lstrcpyW(p r4, w ";")'
		${If} $0 = ${NOT_FOUND}
			StrCpy $0 0
		${Else}
			IntPtrOp $5 $4 + 2
			System::Call 'advapi32::RegQueryValueExW(p r1, w "Path", p 0, p 0, p r5, *i r3) i .r0'
		${EndIf}
		System::Call 'kernel32::lstrcatW(p r4, w ";")'
		${If} $2 <> ${REG_SZ}
		${AndIf} $2 <> ${REG_EXPAND_SZ}
			StrCpy $0 1
		${EndIf}
	FunctionEnd

	; writePath makes the text at $5 the PATH and tells programs that are running.
	Function ${UN}writePath
		System::Call 'kernel32::lstrlenW(p r5) i .r3'
		IntOp $3 $3 + 1
		IntOp $3 $3 * 2
		System::Call 'advapi32::RegSetValueExW(p r1, w "Path", i 0, i r2, p r5, i r3)'
		SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
	FunctionEnd

	Function ${UN}closePath
		System::Call 'kernel32::GlobalFree(p r4)'
		System::Call 'advapi32::RegCloseKey(p r1)'
	FunctionEnd
!macroend
!insertmacro PathFunctions ""
!insertmacro PathFunctions un.

Function addToPath
	Call readPath
	System::Call 'shlwapi::StrStrIW(p r4, w ";$INSTDIR;") p .r6'
	${If} $0 = 0
	${AndIf} $6 P= 0
		IntPtrOp $5 $4 + 2
		System::Call 'kernel32::lstrlenW(p r5) i .r3'
		${If} $3 = 1 ; There is no PATH yet, only the second semicolon.
			IntPtrOp $5 $5 + 2
		${EndIf}
		System::Call 'kernel32::lstrcatW(p r4, w "$INSTDIR")'
		System::Call 'kernel32::lstrlenW(p r5) i .r3'
		System::Call 'shlwapi::StrPBrkW(w "$INSTDIR", w ";%") p .r6'
		${If} $3 > ${PATH_LIMIT}
		${OrIf} $6 P<> 0
			StrCpy $problem "$(PathStays)"
			DetailPrint $problem
			Call print
		${Else}
			Call writePath
			WriteRegDWORD HKCU "${ENTRY}" PathAdded 1
		${EndIf}
	${EndIf}
	Call closePath
FunctionEnd

; removeFromPath leaves a PATH that had the folder before it was installed.
Function un.removeFromPath
	ReadRegDWORD $0 HKCU "${ENTRY}" PathAdded
	${If} $0 <> 1
		Return
	${EndIf}
	Call un.readPath
	System::Call 'shlwapi::StrStrIW(p r4, w ";$INSTDIR;") p .r6'
	${If} $0 = 0
	${AndIf} $6 P<> 0
		; What follows the folder takes its place, the semicolon first.
		StrLen $3 ";$INSTDIR"
		IntOp $3 $3 * 2
		IntPtrOp $7 $6 + $3
		System::Call 'kernel32::lstrlenW(p r7) i .r3'
		IntOp $3 $3 + 1
		IntOp $3 $3 * 2
		System::Call 'kernel32::RtlMoveMemory(p r6, p r7, p r3)'
		; Then the semicolons at both ends go.
		IntPtrOp $5 $4 + 2
		System::Call 'kernel32::lstrlenW(p r5) i .r3'
		${If} $3 = 0
			System::Call 'advapi32::RegDeleteValueW(p r1, w "Path")'
		${Else}
			IntOp $3 $3 - 1
			IntOp $3 $3 * 2
			IntPtrOp $6 $5 + $3
			System::Call '*$6(&i2 0)'
			Call un.writePath
		${EndIf}
	${EndIf}
	Call un.closePath
FunctionEnd
