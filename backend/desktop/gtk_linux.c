//go:build linux && (desktop || dev)

// The dialogs of Fairlead under GTK, and its tips. A dialog takes no focus when it appears, has no
// default button, and lets no key answer anything before a second has passed in which
// nothing was typed on it: what is typed was meant for something else (SPEC HITL-02,
// HITL-11). All of this but the functions of the header runs on GTK's thread.

#include "gtk_linux.h"

#include <gtk/gtk.h>
#include <stdlib.h>

#include "_cgo_export.h"

// QUIET is how long nothing must have been typed on a dialog before a key counts, in
// microseconds. For as long after it appears, it takes no click either.
#define QUIET G_USEC_PER_SEC

// EDGE is the space around what a dialog shows, in pixels.
#define EDGE 16

typedef struct {
	uintptr_t id;
	GtkWidget *window, *yes, *no, *in_window, *hint;
	GtkAdjustment *scroll;
	// A key counts QUIET after this.
	gint64 typed;
	// The keys that are down and did not count, by hardware code. One that is held
	// goes on not to count.
	GHashTable *held;
	guint timer;
	gboolean ready, seen;
} Dialog;

// The open dialogs by id.
static GHashTable *dialogs;

static gint64 last_key = -1;
static gint in_front;

static const char *style =
	"#fairlead-dialog { background: #fff; color: #111; }"
	"#fairlead-dialog label { color: #111; }"
	"#fairlead-dialog .heading { font-weight: bold; }"
	"#fairlead-dialog .quiet { color: #595959; }"
	"#fairlead-dialog scrolledwindow { border: 1px solid #bbb; background: #fff; }"
	"#fairlead-dialog textview, #fairlead-dialog textview text"
	" { background: #fff; color: #111; font-family: monospace; font-size: 10pt; }"
	"#fairlead-dialog textview text selection { background: #bbb; color: #111; }"
	"#fairlead-dialog button { background: #fff; color: #111; border: 1px solid #111; border-radius: 6px;"
	" padding: 5px 14px; min-height: 20px; box-shadow: none; text-shadow: none; -gtk-icon-shadow: none; outline: none; }"
	"#fairlead-dialog button label { color: inherit; }"
	"#fairlead-dialog button:hover { background: #eee; }"
	"#fairlead-dialog button:focus { box-shadow: 0 0 0 2px #111; }"
	"#fairlead-dialog button:disabled { color: #888; border-color: #ccc; }"
	"#fairlead-dialog.dark { background: #0b0b0b; color: #eee; }"
	"#fairlead-dialog.dark label { color: #eee; }"
	"#fairlead-dialog.dark .quiet { color: #a3a3a3; }"
	"#fairlead-dialog.dark scrolledwindow { border-color: #444; background: #0b0b0b; }"
	"#fairlead-dialog.dark textview, #fairlead-dialog.dark textview text { background: #0b0b0b; color: #eee; }"
	"#fairlead-dialog.dark textview text selection { background: #555; color: #eee; }"
	"#fairlead-dialog.dark button { background: #0b0b0b; color: #eee; border-color: #eee; }"
	"#fairlead-dialog.dark button label { color: inherit; }"
	"#fairlead-dialog.dark button:hover { background: #222; }"
	"#fairlead-dialog.dark button:focus { box-shadow: 0 0 0 2px #eee; }"
	"#fairlead-dialog.dark button:disabled { color: #777; border-color: #333; }";

static void look(void)
{
	GList *windows = gtk_window_list_toplevels();
	gint found = 0;
	for (GList *each = windows; each; each = each->next)
		found |= GTK_IS_WINDOW(each->data) && gtk_window_is_active(GTK_WINDOW(each->data));
	g_list_free(windows);
	g_atomic_int_set(&in_front, found);
}

// Every event of every window passes here, before an input method or the page has it.
static void on_event(GdkEvent *event, gpointer data)
{
	(void)data;
	if (event->type == GDK_KEY_PRESS)
		__atomic_store_n(&last_key, g_get_monotonic_time(), __ATOMIC_RELAXED);
	gboolean focus = event->type == GDK_FOCUS_CHANGE;
	gtk_main_do_event(event);
	if (focus)
		look();
}

// let_through has clicks pass through a tip to what it covers, which they are meant for: a tip
// goes away only once the pointer was seen to move, and takes the clicks until then. This runs
// whenever a widget comes into sight, those in a tip among them: GTK gives the tip its clicks
// back with each.
static gboolean let_through(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer data)
{
	(void)hint, (void)count, (void)data;
	GtkWidget *top = gtk_widget_get_toplevel(g_value_get_object(values));
	if (GTK_IS_WINDOW(top) && gtk_window_get_type_hint(GTK_WINDOW(top)) == GDK_WINDOW_TYPE_HINT_TOOLTIP) {
		cairo_region_t *none = cairo_region_create();
		gtk_widget_input_shape_combine_region(top, none);
		cairo_region_destroy(none);
	}
	return TRUE;
}

static gboolean watch(gpointer data)
{
	(void)data;
	GtkCssProvider *provider = gtk_css_provider_new();
	gtk_css_provider_load_from_data(provider, style, -1, NULL);
	gtk_style_context_add_provider_for_screen(
		gdk_screen_get_default(), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_USER + 1);
	g_object_unref(provider);
	dialogs = g_hash_table_new(NULL, NULL);
	gdk_event_handler_set(on_event, NULL, NULL);
	g_signal_add_emission_hook(g_signal_lookup("map", GTK_TYPE_WIDGET), 0, let_through, NULL, NULL);
	look();
	return G_SOURCE_REMOVE;
}

void fairlead_watch(void) { g_idle_add_full(G_PRIORITY_DEFAULT, watch, NULL, NULL); }

int64_t fairlead_last_key(void)
{
	gint64 at = __atomic_load_n(&last_key, __ATOMIC_RELAXED);
	return at < 0 ? -1 : g_get_monotonic_time() - at;
}

int fairlead_in_front(void) { return g_atomic_int_get(&in_front); }

// end closes a dialog and forgets it.
static void end(Dialog *d)
{
	g_hash_table_remove(dialogs, (gpointer)d->id);
	if (d->timer)
		g_source_remove(d->timer);
	gtk_widget_destroy(d->window);
	g_hash_table_destroy(d->held);
	g_free(d);
}

static void answer(Dialog *d, int pressed)
{
	fairleadPressed(d->id, pressed);
	end(d);
}

// offer makes the answers be as they may be pressed now: none before the dialog is
// ready, and yes only once all was in sight.
static void offer(Dialog *d)
{
	if (gtk_adjustment_get_value(d->scroll) + gtk_adjustment_get_page_size(d->scroll) >=
		gtk_adjustment_get_upper(d->scroll) - 1)
		d->seen = d->seen || d->ready;
	if (d->yes)
		gtk_widget_set_sensitive(d->yes, d->ready && d->seen);
	if (d->no)
		gtk_widget_set_sensitive(d->no, d->ready);
	if (d->in_window)
		gtk_widget_set_sensitive(d->in_window, d->ready);
	if (d->hint)
		gtk_widget_set_visible(d->hint, d->yes && d->ready && !d->seen);
}

static void on_scroll(GtkAdjustment *scroll, gpointer data)
{
	(void)scroll;
	offer(data);
}

static gboolean on_ready(gpointer data)
{
	Dialog *d = data;
	d->timer = 0;
	d->ready = TRUE;
	offer(d);
	// A click may give it the keyboard from now on.
	gtk_window_set_accept_focus(GTK_WINDOW(d->window), TRUE);
	return G_SOURCE_REMOVE;
}

static gboolean on_map(GtkWidget *window, GdkEvent *event, gpointer data)
{
	(void)window, (void)event;
	Dialog *d = data;
	d->typed = g_get_monotonic_time();
	if (!d->timer && !d->ready)
		d->timer = g_timeout_add(QUIET / 1000, on_ready, d);
	return FALSE;
}

// A dialog that gets the keyboard in the middle of a word gets the rest of the word.
static gboolean on_focus(GtkWidget *window, GdkEvent *event, gpointer data)
{
	(void)window, (void)event;
	((Dialog *)data)->typed = g_get_monotonic_time();
	return FALSE;
}

static gboolean moves(GdkEventKey *event)
{
	if (event->is_modifier)
		return TRUE;
	switch (event->keyval) {
	case GDK_KEY_Tab: case GDK_KEY_ISO_Left_Tab: case GDK_KEY_Up: case GDK_KEY_Down: case GDK_KEY_Left: case GDK_KEY_Right:
	case GDK_KEY_Page_Up: case GDK_KEY_Page_Down: case GDK_KEY_Home: case GDK_KEY_End:
		return TRUE;
	case GDK_KEY_c: case GDK_KEY_a: case GDK_KEY_Insert:
		return (event->state & GDK_CONTROL_MASK) != 0;
	}
	return FALSE;
}

static gboolean on_key(GtkWidget *window, GdkEventKey *event, gpointer data)
{
	Dialog *d = data;
	gpointer key = GUINT_TO_POINTER(event->hardware_keycode);
	gint64 now = g_get_monotonic_time();
	if (now - d->typed < QUIET || !d->ready || g_hash_table_contains(d->held, key)) {
		g_hash_table_add(d->held, key);
		return TRUE;
	}
	if (moves(event))
		return FALSE;
	guint with = event->state & gtk_accelerator_get_default_mod_mask();
	if (with == 0 && event->keyval == GDK_KEY_Escape) {
		answer(d, FAIRLEAD_DISMISSED);
		return TRUE;
	}
	if (with == 0 && (event->keyval == GDK_KEY_space || event->keyval == GDK_KEY_KP_Space) &&
		GTK_IS_BUTTON(gtk_window_get_focus(GTK_WINDOW(window))))
		return FALSE;
	// Enter answers nothing, and letters were meant for something else.
	g_hash_table_add(d->held, key);
	d->typed = now;
	return TRUE;
}

static gboolean on_release(GtkWidget *window, GdkEventKey *event, gpointer data)
{
	(void)window;
	return g_hash_table_remove(((Dialog *)data)->held, GUINT_TO_POINTER(event->hardware_keycode));
}

static gboolean on_delete(GtkWidget *window, GdkEvent *event, gpointer data)
{
	(void)window, (void)event;
	answer(data, FAIRLEAD_DISMISSED);
	return TRUE;
}

static void on_click(GtkWidget *button, gpointer data)
{
	Dialog *d = data;
	int pressed = button == d->yes ? FAIRLEAD_YES : button == d->no ? FAIRLEAD_NO : FAIRLEAD_IN_WINDOW;
	if (d->ready && (pressed != FAIRLEAD_YES || d->seen))
		answer(d, pressed);
}

static gboolean dark(int theme)
{
	if (theme)
		return theme == 2;
	// As the web engine finds it out for the page.
	gboolean prefers = FALSE;
	gchar *name = NULL;
	g_object_get(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", &prefers, "gtk-theme-name", &name, NULL);
	prefers = prefers || (name && (g_str_has_suffix(name, "-dark") || g_str_has_suffix(name, "-Dark")));
	g_free(name);
	return prefers;
}

static GtkWidget *label(GtkWidget *box, const char *text, const char *class)
{
	GtkWidget *made = gtk_label_new(text);
	gtk_label_set_xalign(GTK_LABEL(made), 0);
	gtk_label_set_line_wrap(GTK_LABEL(made), TRUE);
	gtk_label_set_line_wrap_mode(GTK_LABEL(made), PANGO_WRAP_WORD_CHAR);
	gtk_label_set_max_width_chars(GTK_LABEL(made), 20); // it takes the width that the text has
	if (class)
		gtk_style_context_add_class(gtk_widget_get_style_context(made), class);
	if (text && *text)
		gtk_container_add(GTK_CONTAINER(box), made);
	else
		g_object_ref_sink(made), g_object_unref(made), made = NULL;
	return made;
}

static GtkWidget *button(Dialog *d, const char *text)
{
	if (!text)
		return NULL;
	GtkWidget *made = gtk_button_new_with_label(text);
	gtk_widget_set_sensitive(made, FALSE);
	g_signal_connect(made, "clicked", G_CALLBACK(on_click), d);
	return made;
}

// view adds the text, which is never cut: what is wider than its view goes on in the
// next row, and what is higher is scrolled.
static GtkWidget *view(Dialog *d, GtkWidget *box, const fairlead_dialog *wanted, gboolean is_dark)
{
	GtkWidget *text = gtk_text_view_new(), *scrolled = gtk_scrolled_window_new(NULL, NULL);
	GtkTextView *v = GTK_TEXT_VIEW(text);
	gtk_text_view_set_editable(v, FALSE);
	gtk_text_view_set_cursor_visible(v, FALSE);
	gtk_text_view_set_accepts_tab(v, FALSE);
	gtk_text_view_set_monospace(v, TRUE);
	gtk_text_view_set_wrap_mode(v, GTK_WRAP_CHAR);
	gtk_text_view_set_left_margin(v, EDGE / 2);
	gtk_text_view_set_right_margin(v, EDGE / 2);
	gtk_text_view_set_top_margin(v, EDGE / 2);
	gtk_text_view_set_bottom_margin(v, EDGE / 2);
	GtkTextBuffer *buffer = gtk_text_view_get_buffer(v);
	gtk_text_buffer_set_text(buffer, wanted->text, -1);
	gtk_text_buffer_create_tag(buffer, "mark", "foreground", is_dark ? "#0b0b0b" : "#fff", "background",
		is_dark ? "#eee" : "#111", "weight", PANGO_WEIGHT_BOLD, NULL);
	for (int i = 0; i < wanted->mark_count; i++) {
		GtkTextIter from, to;
		gtk_text_buffer_get_iter_at_offset(buffer, &from, wanted->marks[2 * i]);
		gtk_text_buffer_get_iter_at_offset(buffer, &to, wanted->marks[2 * i + 1]);
		gtk_text_buffer_apply_tag_by_name(buffer, "mark", &from, &to);
	}
	GtkTextIter start;
	gtk_text_buffer_get_start_iter(buffer, &start);
	gtk_text_buffer_place_cursor(buffer, &start);
	atk_object_set_name(gtk_widget_get_accessible(text), wanted->heading);
	gtk_container_add(GTK_CONTAINER(scrolled), text);
	gtk_container_add(GTK_CONTAINER(box), scrolled);

	// The text is as large as it is drawn, and at least as wide as a few words.
	gchar *wide = g_strnfill(wanted->columns, '0');
	PangoLayout *layout = gtk_widget_create_pango_layout(text, wide);
	int least, width, height;
	pango_layout_get_pixel_size(layout, &least, NULL);
	pango_layout_set_text(layout, wanted->text, -1);
	pango_layout_get_pixel_size(layout, &width, &height);
	g_object_unref(layout);
	g_free(wide);
	GdkRectangle area = {0, 0, 1024, 768};
	GdkDisplay *display = gdk_display_get_default();
	GdkMonitor *monitor = gdk_display_get_primary_monitor(display);
	if (!monitor && gdk_display_get_n_monitors(display) > 0)
		monitor = gdk_display_get_monitor(display, 0);
	if (monitor)
		gdk_monitor_get_workarea(monitor, &area);
	GtkScrolledWindow *s = GTK_SCROLLED_WINDOW(scrolled);
	gtk_scrolled_window_set_policy(s, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
	gtk_scrolled_window_set_overlay_scrolling(s, FALSE);
	gtk_widget_set_size_request(scrolled, MIN(MAX(least, width) + 2 * EDGE, area.width - 8 * EDGE),
		MIN(height + EDGE + 4, area.height * 6 / 10));
	gtk_widget_set_vexpand(scrolled, TRUE);
	d->scroll = gtk_scrolled_window_get_vadjustment(s);
	g_signal_connect(d->scroll, "value-changed", G_CALLBACK(on_scroll), d);
	g_signal_connect(d->scroll, "changed", G_CALLBACK(on_scroll), d);
	return text;
}

static void free_wanted(fairlead_dialog *wanted)
{
	char *texts[] = {wanted->title, wanted->heading, wanted->place, wanted->text, wanted->facts,
		wanted->scroll, wanted->yes, wanted->no, wanted->in_window};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		free(texts[i]);
	free(wanted->marks);
	free(wanted);
}

static gboolean show(gpointer data)
{
	fairlead_dialog *wanted = data;
	Dialog *d = g_new0(Dialog, 1);
	gboolean is_dark = dark(wanted->theme);
	d->id = wanted->id;
	d->held = g_hash_table_new(NULL, NULL);
	d->typed = g_get_monotonic_time();
	d->window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
	GtkWindow *window = GTK_WINDOW(d->window);
	gtk_widget_set_name(d->window, "fairlead-dialog");
	if (is_dark)
		gtk_style_context_add_class(gtk_widget_get_style_context(d->window), "dark");
	gtk_window_set_title(window, wanted->title);
	gtk_window_set_type_hint(window, GDK_WINDOW_TYPE_HINT_DIALOG);
	atk_object_set_role(gtk_widget_get_accessible(d->window), ATK_ROLE_DIALOG);
	gtk_window_set_position(window, GTK_WIN_POS_CENTER);
	gtk_window_set_focus_on_map(window, FALSE);
	gtk_window_set_accept_focus(window, FALSE);
	gtk_window_set_keep_above(window, TRUE);
	gtk_window_set_urgency_hint(window, TRUE);

	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, EDGE / 2);
	gtk_container_set_border_width(GTK_CONTAINER(box), EDGE);
	gtk_container_add(GTK_CONTAINER(d->window), box);
	label(box, wanted->heading, "heading");
	label(box, wanted->place, "quiet");
	GtkWidget *text = view(d, box, wanted, is_dark);
	label(box, wanted->facts, NULL);
	d->hint = label(box, wanted->scroll, "quiet");
	if (d->hint)
		gtk_widget_set_no_show_all(d->hint, TRUE);

	GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, EDGE / 2);
	gtk_widget_set_margin_top(row, EDGE / 2);
	gtk_container_add(GTK_CONTAINER(box), row);
	if ((d->in_window = button(d, wanted->in_window)))
		gtk_box_pack_start(GTK_BOX(row), d->in_window, FALSE, FALSE, 0);
	if ((d->yes = button(d, wanted->yes)))
		gtk_box_pack_end(GTK_BOX(row), d->yes, FALSE, FALSE, 0);
	if ((d->no = button(d, wanted->no)))
		gtk_box_pack_end(GTK_BOX(row), d->no, FALSE, FALSE, 0);

	g_signal_connect(d->window, "map-event", G_CALLBACK(on_map), d);
	g_signal_connect(d->window, "focus-in-event", G_CALLBACK(on_focus), d);
	g_signal_connect(d->window, "key-press-event", G_CALLBACK(on_key), d);
	g_signal_connect(d->window, "key-release-event", G_CALLBACK(on_release), d);
	g_signal_connect(d->window, "delete-event", G_CALLBACK(on_delete), d);
	g_hash_table_insert(dialogs, (gpointer)d->id, d);
	// Left alone, GTK gives the keyboard to the first button.
	gtk_window_set_focus(window, text);
	gtk_widget_show_all(d->window);
	free_wanted(wanted);
	return G_SOURCE_REMOVE;
}

void fairlead_open(fairlead_dialog *dialog) { g_idle_add_full(G_PRIORITY_DEFAULT, show, dialog, NULL); }

static gboolean close_one(gpointer id)
{
	Dialog *d = g_hash_table_lookup(dialogs, id);
	if (d)
		end(d);
	return G_SOURCE_REMOVE;
}

void fairlead_close(uintptr_t id) { g_idle_add_full(G_PRIORITY_DEFAULT, close_one, (gpointer)id, NULL); }
