// The dialogs of Fairlead under GTK: what Go calls. See gtk_linux.c.

#ifndef FAIRLEAD_GTK_H
#define FAIRLEAD_GTK_H

#include <stdint.h>

// fairlead_dialog is a dialog as it is to be shown. Its strings and its marks come
// from malloc and are freed by the function that takes it.
typedef struct {
	uintptr_t id;
	char *title, *heading, *place, *text, *facts, *scroll;
	// The answers' words; NULL where one is not offered.
	char *yes, *no, *in_window;
	// Pairs of offsets in characters: from, to.
	int *marks;
	int mark_count;
	// The least width, in columns.
	int columns;
	// 0 as the system is, 1 light, 2 dark.
	int theme;
} fairlead_dialog;

// The answers. They are those of Press in Go.
enum { FAIRLEAD_DISMISSED, FAIRLEAD_YES, FAIRLEAD_NO, FAIRLEAD_IN_WINDOW };

// fairlead_watch begins to note keys and the focus. It is called once, on any thread.
void fairlead_watch(void);

// fairlead_open shows a dialog, which it takes, from any thread. What was pressed is
// told to fairleadPressed, once.
void fairlead_open(fairlead_dialog *dialog);

// fairlead_close closes a dialog without an answer, from any thread. One that is
// closed already stays so.
void fairlead_close(uintptr_t id);

// fairlead_last_key returns how long ago a key was pressed in a window of this
// program, in microseconds; -1 before the first.
int64_t fairlead_last_key(void);

// fairlead_in_front reports whether a window of this program has the focus.
int fairlead_in_front(void);

#endif
