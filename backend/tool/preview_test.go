package tool_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// previewing is a tool whose Preview is a function.
type previewing struct {
	scripted
	preview func(ctx context.Context) (message.Preview, error)
}

func (p previewing) Preview(ctx context.Context, _ tool.Input) (message.Preview, error) {
	return p.preview(ctx)
}

func TestCAN01_APreviewThatIgnoresItsContextIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("cancelled by the user")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		release := make(chan struct{})
		stuck := previewing{scripted{name: "a"}, func(context.Context) (message.Preview, error) {
			select {
			case <-release:
			case <-time.After(time.Hour):
			}
			return message.Preview{Path: "late"}, nil
		}}
		start := time.Now()
		preview, err := dispatcher(t, nil, stuck).Preview(ctx, call("a", `{"path":"p"}`))
		if !errors.Is(err, cause) || preview.Path != "" || time.Since(start) > time.Second {
			t.Errorf("got %+v, %v after %v", preview, err, time.Since(start))
		}
		close(release)
	})
}

func TestDSP01_AlwaysAPreview(t *testing.T) {
	fault := &message.ToolError{Code: message.StaleFile, Message: "x"}
	for name, test := range map[string]struct {
		preview func(context.Context) (message.Preview, error)
		path    string
		code    message.ToolCode
	}{
		"panic": {func(context.Context) (message.Preview, error) { panic("boom") }, "", message.ExecutionError},
		"error": {func(context.Context) (message.Preview, error) { return message.Preview{}, fault }, "", message.StaleFile},
		"shown": {func(context.Context) (message.Preview, error) { return message.Preview{Path: "p"}, nil }, "p", ""},
	} {
		t.Run(name, func(t *testing.T) {
			preview, err := dispatcher(t, nil, previewing{scripted{name: "a"}, test.preview}).Preview(t.Context(), call("a", `{"path":"p"}`))
			var failure *message.ToolError
			if errors.As(err, &failure) != (test.code != "") || failure != nil && failure.Code != test.code || preview.Path != test.path {
				t.Errorf("got %+v, %v", preview, err)
			}
		})
	}
}
