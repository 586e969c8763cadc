package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"fairlead/backend/mcp"
	"fairlead/backend/mcp/remote"
)

const name = "conformance"

// running is a server whose tools the user has agreed to, as they are.
type running struct {
	servers *mcp.Servers
	server  *mcp.Server
	pin     *mcp.Pin
}

// start starts a server as Fairlead does, and agrees to its tools.
func start(ctx context.Context, address string, open func() (*remote.Server, error)) (*running, error) {
	changed := make(chan struct{}, 1)
	servers := mcp.NewServers(mcp.Options{
		Version: "1", Elicitor: willing{},
		Changed: func(string) {
			select {
			case changed <- struct{}{}:
			default:
			}
		},
		Starter: func(context.Context, mcp.Definition, mcp.Grant) (*mcp.Connection, error) {
			reached, err := open()
			if err != nil {
				return nil, err
			}
			transport, end := reached.Transport()
			return &mcp.Connection{
				Transport: transport, Explain: func(err error) error { return reached.Explain(err) },
				Close: func() error {
					end()
					reached.Close()
					return nil
				},
			}, nil
		},
	})
	if err := servers.Put(mcp.Entry{Definition: mcp.Definition{Name: name, Kind: mcp.KindHTTP, URL: address}}); err != nil {
		return nil, err
	}
	r := &running{servers: servers, server: servers.Server(name)}
	r.server.Start()
	for {
		switch status := r.server.Status(); status.State {
		case mcp.StateReady:
			r.pin = status.Agreed
			return r, nil
		case mcp.StateSuspended:
			if _, err := r.server.Agree(status.Found.Hash); err != nil {
				servers.Close()
				return nil, err
			}
		case mcp.StateFailed, mcp.StateStopped:
			servers.Close()
			return nil, errors.New(status.Reason)
		case mcp.StateConfigured, mcp.StateStarting:
		}
		select {
		case <-changed:
		case <-ctx.Done():
			servers.Close()
			return nil, ctx.Err()
		}
	}
}

// call calls a tool.
func (r *running) call(ctx context.Context, tool string, arguments any) error {
	text, err := json.Marshal(arguments)
	if err != nil {
		return fmt.Errorf("write the arguments of %s: %w", tool, err)
	}
	_, err = r.server.CallTool(ctx, mcp.Request{Tool: tool, Arguments: text, Pin: r.pin.Hash}, func(line string) {
		slog.Info("progress", "tool", tool, "line", line)
	})
	return err
}

// willing accepts every form as it is.
type willing struct{}

// Ask implements mcp.Elicitor.
func (willing) Ask(_ context.Context, _, _ string, fields []mcp.Field) (mcp.FormAnswer, error) {
	values := map[string]any{}
	for _, field := range fields {
		switch {
		case field.Default != nil:
			values[field.Name] = field.Default
		case field.Kind == mcp.FieldBool:
			values[field.Name] = true
		}
	}
	return mcp.FormAnswer{Action: mcp.FormAccept, Values: values}, nil
}
