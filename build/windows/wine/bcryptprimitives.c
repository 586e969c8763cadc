// What Wine 8 lacks for programs in Go: build/windows.sh puts it into the Wine prefix as
// bcryptprimitives.dll, which each of them loads before it does anything else. Newer
// versions of Wine have a library of that name.
#include <windows.h>
#include <winternl.h>
#include <string.h>

BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG length); // RtlGenRandom of advapi32

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
	return SystemFunction036(data, length);
}

// Windows answers that it does not know a class of information, and Go then removes the file
// as on older versions of Windows. Wine answers that nothing is implemented, and Go gives up.
static const NTSTATUS notImplemented = 0xC0000002, invalidInfoClass = 0xC0000003;

typedef NTSTATUS(NTAPI *setInformation)(HANDLE, IO_STATUS_BLOCK *, void *, ULONG, ULONG);

static setInformation original;

static NTSTATUS NTAPI answerAsWindows(HANDLE file, IO_STATUS_BLOCK *io, void *data, ULONG length, ULONG class)
{
	NTSTATUS status = original(file, io, data, length, class);
	return status == notImplemented ? invalidInfoClass : status;
}

// The system call of ntdll, as this version of Wine has it: it can be run from anywhere.
enum { callLength = 31 };
static const unsigned char callStart[] = {0x4c, 0x8b, 0xd1, 0xb8};

BOOL WINAPI DllMain(HINSTANCE library, DWORD reason, void *reserved)
{
	(void)library, (void)reserved;
	if (reason != DLL_PROCESS_ATTACH)
		return TRUE;
	unsigned char *call = (void *)GetProcAddress(GetModuleHandleA("ntdll.dll"), "NtSetInformationFile");
	if (!call || memcmp(call, callStart, sizeof callStart))
		return FALSE;
	unsigned char *copy = VirtualAlloc(NULL, callLength, MEM_COMMIT | MEM_RESERVE, PAGE_EXECUTE_READWRITE);
	DWORD before;
	if (!copy || !VirtualProtect(call, callLength, PAGE_EXECUTE_READWRITE, &before))
		return FALSE;
	memcpy(copy, call, callLength);
	original = (setInformation)copy;
	// mov rax, answerAsWindows; jmp rax
	void *target = answerAsWindows;
	memcpy(call, "\x48\xb8", 2);
	memcpy(call + 2, &target, sizeof target);
	memcpy(call + 10, "\xff\xe0", 2);
	return VirtualProtect(call, callLength, before, &before);
}
