"""Puts the picture in a file on the clipboard, and keeps it there until standard input ends."""

import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GdkPixbuf, GLib, Gtk

clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
clipboard.set_image(GdkPixbuf.Pixbuf.new_from_file(sys.argv[1]))
GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_HUP, lambda *_: Gtk.main_quit())
print("ready", flush=True)
Gtk.main()
