/* For a test: keeps a file open as a virus scanner can, so that others read and write it but
   do not move it, until there is no more input. */
#include <stdio.h>
#include <windows.h>

int main(int argc, char **argv)
{
	if (argc != 2 || CreateFileA(argv[1], GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL) == INVALID_HANDLE_VALUE)
		return 1;
	puts("open");
	fflush(stdout);
	getchar();
	return 0;
}
