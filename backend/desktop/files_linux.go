package desktop

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/godbus/dbus/v5"
)

// The file manager, as the File Manager DBus Interface of freedesktop.org has it.
const (
	fileManagerName = "org.freedesktop.FileManager1"
	fileManagerPath = "/org/freedesktop/FileManager1"
)

// showTime is how long the file manager may take to start.
const showTime = 5 * time.Second

// showItem has the file manager show a file in its folder. It returns errors.ErrUnsupported where
// no file manager does that.
func showItem(ctx context.Context, path string) error {
	ctx, done := context.WithTimeout(ctx, showTime)
	defer done()
	bus, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		return errors.ErrUnsupported
	}
	defer func() { _ = bus.Close() }()
	item := url.URL{Scheme: "file", Path: path}
	err = bus.Object(fileManagerName, fileManagerPath).CallWithContext(ctx, fileManagerName+".ShowItems", 0, []string{item.String()}, "").Err
	if err != nil {
		return errors.ErrUnsupported
	}
	return nil
}
