"""Drives windows as assistive technology does: finds things by role and name.

Reads one request a line from standard input and answers each with one line on
standard output, both JSON. It talks to the bus of assistive technology itself,
because the usual bindings answer from a cache that can be out of date.

A request is {"do": VERB, "seconds": S, "pid": P, "role": R, "name": N, ...}. What
is sought is tried again until it is there or S seconds are over. P keeps to the
windows of one process; role, name and text match whole, "has" is a part of the
name or text, "within" is another such query for something around it, "states"
must all be set, "nth" counts from 0. The answer is {"ok": VALUE} or {"error":
TEXT}. Verbs:

    find     the first match, as {"role", "name", "text", "states", "box", "pid"}
    all      every match there is now
    gone     waits until there is no match
    press    does the first action of the match
    focus    gives the match the keyboard
    tree     everything there is now, as indented lines
"""

import json
import os
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib

ROOT = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
NULL = "/org/a11y/atspi/null"
SPI = "org.a11y.atspi."
# The bits of the state set that tests ask about, in the order of the protocol.
STATES = {
    "active": 1, "checked": 4, "defunct": 6, "editable": 7, "enabled": 8, "expandable": 9, "expanded": 10,
    "focusable": 11, "focused": 12, "modal": 16, "pressed": 20, "selected": 23, "sensitive": 24, "showing": 25,
    "visible": 30, "default": 40,
}
# Where something is scrolled to: wherever it can be seen.
ANYWHERE = 6
# How long one answer may take: the process asked may be busy, or ending.
ANSWER_MS = 3000
# The shortest pause between two looks.
PAUSE_S = 0.04
# A tree is a few hundred things; this stops a loop in it.
MOST = 20000


class Bus:
    """The bus, asked many things at once."""

    def __init__(self):
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.connection = Gio.DBusConnection.new_for_address_sync(os.environ["AT_SPI_BUS_ADDRESS"], flags, None, None)
        self.pids = {}

    def ask(self, calls):
        """Returns the answers to [(node, interface, method, arguments)], None where there was none."""
        answers = [None] * len(calls)
        left = len(calls)

        def done(connection, result, at):
            nonlocal left
            left -= 1
            try:
                answers[at] = connection.call_finish(result).unpack()
            except GLib.Error:
                pass  # it went away, or cannot do this

        for at, ((name, path), interface, method, arguments) in enumerate(calls):
            self.connection.call(
                name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, ANSWER_MS, None, done, at
            )
        while left:
            GLib.MainContext.default().iteration(True)
        return answers

    def one(self, node, interface, method, arguments=None):
        return self.ask([(node, interface, method, arguments)])[0]

    def pid(self, name):
        """The process behind a name on the bus."""
        if name not in self.pids:
            answer = self.one(
                ("org.freedesktop.DBus", "/org/freedesktop/DBus"), "org.freedesktop.DBus",
                "GetConnectionUnixProcessID", GLib.Variant("(s)", (name,)),
            )
            self.pids[name] = answer[0] if answer else 0
        return self.pids[name]


class Thing:
    """Something on the screen: a window, a button, a text."""

    def __init__(self, node, parent):
        self.node, self.parent, self.children = node, parent, []
        self.role, self.name, self.states = "", "", set()
        self.text = None  # not read yet
        self.readable = False


def property_of(interface, name):
    return ("org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (SPI + interface, name)))


def look(bus, pid):
    """Everything on the desktop, or in one process's windows, in reading order."""
    apps = bus.one(ROOT, SPI + "Accessible", "GetChildren")
    apps = [tuple(app) for app in (apps or [[]])[0]]
    top = [Thing(app, None) for app in apps if pid in (0, bus.pid(app[0]))]
    level, seen = top, {thing.node for thing in top}
    while level and len(seen) < MOST:
        read(bus, level)
        for thing, children in zip(level, children_of(bus, level)):
            for child in children:
                if child[1] != NULL and child not in seen:
                    seen.add(child)
                    thing.children.append(Thing(child, thing))
        level = [child for thing in level for child in thing.children]
    return [thing for app in top for thing in walk(app)]


def read(bus, things):
    """Reads what things are."""
    calls = []
    for thing in things:
        calls += [
            (thing.node, SPI + "Accessible", "GetRole", None),
            (thing.node, *property_of("Accessible", "Name")),
            (thing.node, SPI + "Accessible", "GetState", None),
            (thing.node, SPI + "Accessible", "GetInterfaces", None),
        ]
    answers = bus.ask(calls)
    for thing, at in zip(things, range(0, len(answers), 4)):
        role, name, state, interfaces = (answer[0] if answer else None for answer in answers[at : at + 4])
        thing.role = role_name(role or 0)
        thing.name = name or ""
        low, high = (*(state or ()), 0, 0)[:2]
        thing.states = {word for word, bit in STATES.items() if (low | high << 32) >> bit & 1}
        thing.readable = SPI + "Text" in (interfaces or ())


def role_name(role):
    name = Atspi.role_get_name(Atspi.Role(role))
    # Buttons are called so from AT-SPI 2.52 on.
    return "button" if name == "push button" else name


def children_of(bus, things):
    """The children of each thing, as nodes."""
    answers = bus.ask([(thing.node, SPI + "Accessible", "GetChildren", None) for thing in things])
    children = [[tuple(child) for child in answer[0]] if answer else [] for answer in answers]
    # What holds the page says that it is empty, but gives its child by number.
    sockets = [at for at, thing in enumerate(things) if thing.role == "filler" and not children[at]]
    first = GLib.Variant("(i)", (0,))
    pages = bus.ask([(things[at].node, SPI + "Accessible", "GetChildAtIndex", first) for at in sockets])
    for at, page in zip(sockets, pages):
        if page:
            children[at] = [page[0]]
    return children


def walk(thing):
    yield thing
    for child in thing.children:
        yield from walk(child)


def read_texts(bus, things):
    """Reads the texts of things that have not been read."""
    for thing in things:
        if not thing.readable:
            thing.text = ""
    unread = [thing for thing in things if thing.text is None]
    every = GLib.Variant("(ii)", (0, -1))
    for thing, answer in zip(unread, bus.ask([(t.node, SPI + "Text", "GetText", every) for t in unread])):
        thing.text = answer[0] if answer else ""


def matches(bus, things, query):
    """The things that a query is about."""
    found = things
    if query.get("role"):
        found = [t for t in found if t.role == query["role"]]
    if "name" in query:
        found = [t for t in found if t.name == query["name"]]
    for state in query.get("states") or []:
        found = [t for t in found if state in t.states]
    if query.get("within"):
        around = {id(t) for t in matches(bus, things, query["within"])}
        found = [t for t in found if any(id(p) in around for p in parents(t))]
    if "text" in query or "has" in query:
        read_texts(bus, found)
    if "text" in query:
        found = [t for t in found if t.text == query["text"]]
    if "has" in query:
        found = [t for t in found if query["has"] in t.name or query["has"] in t.text]
    return found


def parents(thing):
    while thing.parent:
        thing = thing.parent
        yield thing


def describe(bus, thing):
    read_texts(bus, [thing])
    box = bus.one(thing.node, SPI + "Component", "GetExtents", GLib.Variant("(u)", (0,)))
    return {
        "role": thing.role, "name": thing.name, "text": thing.text, "states": sorted(thing.states),
        "box": list(box[0]) if box else [], "pid": bus.pid(thing.node[0]),
    }


def tree(bus, things):
    read_texts(bus, things)
    lines = []
    for thing in things:
        depth = sum(1 for _ in parents(thing))
        text = "" if thing.text in ("", thing.name) else json.dumps(thing.text, ensure_ascii=False)[:200]
        states = " ".join(sorted(thing.states - {"visible", "sensitive", "enabled", "focusable"}))
        lines.append("%s%s %s %s [%s]" % ("  " * depth, thing.role, json.dumps(thing.name, ensure_ascii=False), text, states))
    return "\n".join(lines)


def press(bus, thing):
    # Unlike a user, it could press what is disabled or out of sight.
    if "showing" not in thing.states:
        bus.one(thing.node, SPI + "Component", "ScrollTo", GLib.Variant("(u)", (ANYWHERE,)))
        return None
    if "sensitive" not in thing.states:
        return None
    return bus.one(thing.node, SPI + "Action", "DoAction", GLib.Variant("(i)", (0,)))


def focus(bus, thing):
    return bus.one(thing.node, SPI + "Component", "GrabFocus", None)


ACTS = {"press": press, "focus": focus}


def attempt(bus, request):
    """Tries once. Returns whether it succeeded, and the result."""
    verb = request["do"]
    things = look(bus, request.get("pid", 0))
    if verb == "tree":
        return True, tree(bus, things)
    found = matches(bus, things, request)
    if verb == "all":
        return True, [describe(bus, thing) for thing in found]
    if verb == "gone":
        return not found, None
    nth = request.get("nth", 0)
    if len(found) <= nth:
        return False, None
    if verb == "find":
        return True, describe(bus, found[nth])
    done = ACTS[verb](bus, found[nth])
    return bool(done and done[0]), None


def serve(bus, request):
    until = time.monotonic() + request.get("seconds", 0)
    while True:
        began = time.monotonic()
        done, value = attempt(bus, request)
        if done:
            return {"ok": value}
        now = time.monotonic()
        if now >= until:
            return {"error": "%s: not within %s s" % (request["do"], request.get("seconds", 0))}
        # A look costs the process that is looked at as much as the one that looks: more of
        # the time than this, and little is left for what is waited for.
        time.sleep(max(PAUSE_S, 2.5 * (now - began)))


def main():
    bus = Bus()
    for line in sys.stdin:
        print(json.dumps(serve(bus, json.loads(line))), flush=True)


main()
