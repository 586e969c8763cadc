"""Shows a place in the corner of the screen from which files can be dragged once, as from a file
manager. The arguments are their paths. Its window is none of the window manager's, and takes no
focus."""

import sys
from pathlib import Path

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk

window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(120, 80)
area = Gtk.EventBox()
window.add(area)
area.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
area.drag_source_add_uri_targets()
area.connect("drag-data-get", lambda _w, _c, data, *_: data.set_uris([Path(p).as_uri() for p in sys.argv[1:]]))
area.connect("drag-end", lambda *_: Gtk.main_quit())
GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_HUP, lambda *_: Gtk.main_quit())
window.connect("map-event", lambda *_: print("ready", flush=True))
window.show_all()
Gtk.main()
