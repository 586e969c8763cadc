//go:build linux && (desktop || dev)

// What other programs hand to the window. A picture on the clipboard is taken as a PNG file,
// the form in which every program offers one, and is not decoded here. Files that are dropped
// are taken by the window itself: the page's own drag and drop is off, because it would open
// them in place of the page.

#include "transfer_linux.h"

#include <gtk/gtk.h>

#include "_cgo_export.h"

static void receive_picture(GtkClipboard *clipboard, GtkSelectionData *data, gpointer id)
{
	(void)clipboard;
	gint length = 0;
	const guchar *bytes = gtk_selection_data_get_data_with_length(data, &length);
	fairleadClipboard((uintptr_t)id, (void *)bytes, bytes && length > 0 ? length : 0);
}

static gboolean request_picture(gpointer id)
{
	GtkClipboard *clipboard = gtk_clipboard_get(GDK_SELECTION_CLIPBOARD);
	gtk_clipboard_request_contents(clipboard, gdk_atom_intern_static_string("image/png"), receive_picture, id);
	return G_SOURCE_REMOVE;
}

void fairlead_clipboard(uintptr_t id)
{
	g_idle_add(request_picture, (gpointer)id);
}

static void receive_files(GtkWidget *window, GdkDragContext *context, gint x, gint y, GtkSelectionData *data, guint info,
                          guint time, gpointer none)
{
	(void)window, (void)context, (void)info, (void)time, (void)none;
	gchar **addresses = gtk_selection_data_get_uris(data);
	if (!addresses)
		return;
	gchar *lines = g_strjoinv("\n", addresses);
	fairleadDropped(x, y, lines);
	g_free(lines);
	g_strfreev(addresses);
}

static gboolean take_drops(gpointer none)
{
	(void)none;
	GList *windows = gtk_window_list_toplevels();
	for (GList *each = windows; each; each = each->next) {
		GtkWidget *window = each->data;
		if (!GTK_IS_WINDOW(window) || gtk_window_get_window_type(GTK_WINDOW(window)) != GTK_WINDOW_TOPLEVEL ||
		    !gtk_widget_get_visible(window))
			continue;
		gtk_drag_dest_set(window, GTK_DEST_DEFAULT_ALL, NULL, 0, GDK_ACTION_COPY);
		gtk_drag_dest_add_uri_targets(window);
		g_signal_connect(window, "drag-data-received", G_CALLBACK(receive_files), NULL);
	}
	g_list_free(windows);
	return G_SOURCE_REMOVE;
}

void fairlead_take_drops(void)
{
	g_idle_add(take_drops, NULL);
}
