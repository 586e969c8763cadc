//go:build linux && (desktop || dev || bindings)

package desktop

import (
	"context"
	"fmt"
	"html"
	"slices"
	"sync"

	"github.com/godbus/dbus/v5"
)

// The service that shows notices, as the Desktop Notifications Specification 1.2 has it.
const (
	noticesName = "org.freedesktop.Notifications"
	noticesPath = "/org/freedesktop/Notifications"
	// openAction is that of a click on the notice itself.
	openAction = "default"
)

// What launchers such as those of KDE and Ubuntu listen to for the number on an icon, after
// wiki.ubuntu.com/Unity/LauncherAPI.
const (
	badgeSignal = "com.canonical.Unity.LauncherEntry.Update"
	badgePath   = "/com/canonical/unity/launcherentry/fairlead"
	badgeIcon   = "application://fairlead.desktop"
)

// How urgent a notice is.
const (
	normalUrgency   = byte(1)
	criticalUrgency = byte(2)
)

// systemNotices shows notices through the service on the session bus.
type systemNotices struct {
	bus *dbus.Conn
	// opened is told of a click, with the key of the notice.
	opened func(key string)

	mu sync.Mutex
	// ids are the service's own, by the keys of the notices that it shows.
	ids map[string]uint32
}

// newNotices returns the notices of this system; nil where it has none.
func newNotices(ctx context.Context, opened func(key string)) (Notices, error) {
	bus, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		return nil, fmt.Errorf("connect to the session bus for notices: %w", err)
	}
	n := &systemNotices{bus: bus, opened: opened, ids: map[string]uint32{}}
	for _, signal := range []string{"ActionInvoked", "NotificationClosed"} {
		err := bus.AddMatchSignalContext(ctx, dbus.WithMatchObjectPath(noticesPath), dbus.WithMatchInterface(noticesName), dbus.WithMatchMember(signal))
		if err != nil {
			_ = bus.Close() // it is of no use
			return nil, fmt.Errorf("listen to the service of notices: %w", err)
		}
	}
	signals := make(chan *dbus.Signal, maxNotices)
	bus.Signal(signals)
	go func() {
		for signal := range signals { // it is closed with the connection
			n.take(signal)
		}
	}()
	return n, nil
}

// Show implements Notices.
func (n *systemNotices) Show(ctx context.Context, key string, notice Notice) error {
	service := n.bus.Object(noticesName, noticesPath)
	text := notice.Text
	var can []string
	// A service that does not say what it can do is started by this.
	if err := service.CallWithContext(ctx, noticesName+".GetCapabilities", 0).Store(&can); err == nil && slices.Contains(can, "body-markup") {
		text = html.EscapeString(text)
	}
	urgency := normalUrgency
	if notice.Urgent {
		urgency = criticalUrgency
	}
	hints := map[string]dbus.Variant{"urgency": dbus.MakeVariant(urgency), "desktop-entry": dbus.MakeVariant("fairlead")}
	var id uint32
	const usualTime = int32(-1)
	err := service.CallWithContext(ctx, noticesName+".Notify", 0,
		"Fairlead", uint32(0), "fairlead", notice.Title, text, []string{openAction, ""}, hints, usualTime).Store(&id)
	if err != nil {
		return fmt.Errorf("show a notice: %w", err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ids[key] = id
	return nil
}

// Close implements Notices.
func (n *systemNotices) Close(ctx context.Context, key string) error {
	n.mu.Lock()
	id, there := n.ids[key]
	delete(n.ids, key)
	n.mu.Unlock()
	if !there {
		return nil
	}
	if err := n.bus.Object(noticesName, noticesPath).CallWithContext(ctx, noticesName+".CloseNotification", 0, id).Err; err != nil {
		return fmt.Errorf("take a notice away: %w", err)
	}
	return nil
}

// Badge implements Notices.
func (n *systemNotices) Badge(_ context.Context, waiting int) error {
	number := map[string]dbus.Variant{"count": dbus.MakeVariant(int64(waiting)), "count-visible": dbus.MakeVariant(waiting > 0)}
	if err := n.bus.Emit(badgePath, badgeSignal, badgeIcon, number); err != nil {
		return fmt.Errorf("tell launchers how many conversations wait: %w", err)
	}
	return nil
}

// take takes a signal of the service: of a click, or of the end of a notice.
func (n *systemNotices) take(signal *dbus.Signal) {
	if len(signal.Body) == 0 {
		return
	}
	id, _ := signal.Body[0].(uint32)
	n.mu.Lock()
	key := ""
	for each, own := range n.ids {
		if own == id {
			key = each
		}
	}
	closed := signal.Name == noticesName+".NotificationClosed"
	if closed {
		delete(n.ids, key)
	}
	n.mu.Unlock()
	if key != "" && !closed {
		n.opened(key)
	}
}
