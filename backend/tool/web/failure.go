package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/publicnet"
	"fairlead/backend/tool"
)

func httpError(format string, args ...any) *message.ToolError {
	return &message.ToolError{Code: message.HTTPError, Message: fmt.Errorf(format, args...).Error()}
}

// failedError says why the request to t has no answer.
func (g *getter) failedError(ctx context.Context, t publicnet.Target, err error) *message.ToolError {
	var refused *publicnet.DeniedError
	switch {
	case ctx.Err() != nil:
		failure := stoppedError(ctx)
		if failure.Code == message.ToolTimeout {
			failure.Message += g.unusedProxy(t)
		}
		return failure
	case errors.As(err, &refused):
		return deniedByTarget(t, refused.Error())
	case isUnconnected(err):
		return httpError("fetch %s: %s%s", t.URL, publicnet.Reason(err), g.unusedProxy(t))
	default:
		return httpError("fetch %s: %s", t.URL, publicnet.Reason(err))
	}
}

// isUnconnected reports whether there was no connection, or it broke.
func isUnconnected(err error) bool {
	_, unknown := errors.AsType[*net.DNSError](err)
	_, broken := errors.AsType[*net.OpError](err)
	return unknown || broken
}

// unusedProxy says that the environment names a proxy for t, which is not used; nothing
// where it names none.
func (g *getter) unusedProxy(t publicnet.Target) string {
	if g.proxy != nil {
		return ""
	}
	for _, name := range []string{t.URL.Scheme + "_proxy", "all_proxy"} {
		for _, variable := range []string{strings.ToUpper(name), name} {
			if os.Getenv(variable) != "" {
				return fmt.Sprintf("; %s is set and not used: the user can name a proxy for http_get in the settings, as proxy", variable)
			}
		}
	}
	return ""
}

// stoppedError says why ctx ended.
func stoppedError(ctx context.Context) *message.ToolError {
	cause := context.Cause(ctx)
	code := message.Cancelled
	if errors.Is(cause, tool.ErrTimeout) {
		code = message.ToolTimeout
	}
	return &message.ToolError{Code: code, Message: cause.Error()}
}
