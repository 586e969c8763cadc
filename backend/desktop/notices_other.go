//go:build !linux && (desktop || dev || bindings)

package desktop

import (
	"context"
	"fmt"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// systemNotices shows notices through the window library.
type systemNotices struct {
	// library is its context, which every call to it needs.
	library context.Context //nolint:containedctx // the library's calls take no other
}

// newNotices returns the notices of this system. On macOS the user is asked whether they are wanted.
func newNotices(ctx context.Context, opened func(key string)) (Notices, error) {
	if !runtime.IsNotificationAvailable(ctx) {
		return nil, fmt.Errorf("show notices: the system has none for this program")
	}
	if err := runtime.InitializeNotifications(ctx); err != nil {
		return nil, fmt.Errorf("show notices: %w", err)
	}
	if wanted, err := runtime.RequestNotificationAuthorization(ctx); err != nil || !wanted {
		return nil, fmt.Errorf("show notices: they are not allowed in the settings of the system (%v)", err)
	}
	runtime.OnNotificationResponse(ctx, func(result runtime.NotificationResult) {
		if result.Error == nil {
			opened(result.Response.ID)
		}
	})
	return systemNotices{ctx}, nil
}

// Show implements Notices.
func (n systemNotices) Show(_ context.Context, key string, notice Notice) error {
	err := runtime.SendNotification(n.library, runtime.NotificationOptions{ID: key, Title: notice.Title, Body: notice.Text})
	if err != nil {
		return fmt.Errorf("show a notice: %w", err)
	}
	return nil
}

// Badge implements Notices. The window library knows no badges.
func (n systemNotices) Badge(context.Context, int) error { return nil }

// Close implements Notices.
func (n systemNotices) Close(_ context.Context, key string) error {
	if err := runtime.RemoveDeliveredNotification(n.library, key); err != nil {
		return fmt.Errorf("take a notice away: %w", err)
	}
	return nil
}
