// What other programs hand to the window under GTK: what Go calls. See transfer_linux.c.

#ifndef FAIRLEAD_TRANSFER_H
#define FAIRLEAD_TRANSFER_H

#include <stdint.h>

// fairlead_clipboard asks for the picture on the clipboard, from any thread.
// fairleadClipboard is told its bytes, once; none where there is no picture.
void fairlead_clipboard(uintptr_t id);

// fairlead_take_drops has the window take files that are dropped on it. It is called once,
// from any thread. fairleadDropped is told the place in the window and the addresses of the
// files, one a line.
void fairlead_take_drops(void);

#endif
