package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"fairlead/backend/message"
)

const (
	// maxRounds is how often one call may ask for something in between.
	maxRounds = 5
	// progressPause is the time between two reports of progress that are shown, and maxProgress how
	// many are.
	progressPause = 200 * time.Millisecond
	maxProgress   = 500
)

// call is one call that runs.
type call struct {
	progress func(text string)
	// ended is closed when nobody waits for it any more.
	ended chan struct{}

	mu sync.Mutex
	// shown and shownAt are of its reports of progress.
	shown   int
	shownAt time.Time
	// forms counts what the user was asked for it.
	forms int
	// notes are what the user and the model should know beside its result.
	notes []string
}

func (c *call) note(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	const most = 10
	if len(c.notes) < most {
		c.notes = append(c.notes, text)
	}
}

func (c *call) noted() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.notes...)
}

// showProgress shows a report of the call that it names.
func (s *session) showProgress(params *sdk.ProgressNotificationParams) {
	token, _ := params.ProgressToken.(string)
	s.mu.Lock()
	c := s.calls[token]
	s.mu.Unlock()
	if c == nil {
		return
	}
	c.mu.Lock()
	now := time.Now()
	silent := c.shown >= maxProgress || now.Sub(c.shownAt) < progressPause
	if !silent {
		c.shown++
		c.shownAt = now
	}
	c.mu.Unlock()
	if !silent {
		c.progress(progressLine(params))
	}
}

// progressLine is a report in one line.
func progressLine(params *sdk.ProgressNotificationParams) string {
	text := strconv.FormatFloat(params.Progress, 'g', 6, 64)
	if params.Total > 0 {
		text += " of " + strconv.FormatFloat(params.Total, 'g', 6, 64)
	}
	if params.Message != "" {
		said, _ := cutText(validText(params.Message), 300)
		text += ": " + message.Inline(said)
	}
	return text + "\n"
}

// begin notes that a call runs; end is to be called when nobody waits for it any more.
func (s *session) begin(progress func(string)) (c *call, token string, end func()) {
	c = &call{progress: progress, ended: make(chan struct{})}
	s.mu.Lock()
	s.tokens++
	token = "call-" + strconv.Itoa(s.tokens)
	s.calls[token] = c
	s.mu.Unlock()
	return c, token, func() {
		s.mu.Lock()
		delete(s.calls, token)
		s.mu.Unlock()
		close(c.ended)
	}
}

// Request is a call of a tool, as it was agreed to.
type Request struct {
	Tool string
	// Arguments are a JSON object that fits the tool's schema.
	Arguments json.RawMessage
	// Pin is the hash of the tools, and Level how far the server was confined, when it was prepared.
	Pin   string
	Level message.Level
}

// CallTool calls a tool, once the server runs as it was when the call was prepared. progress takes
// lines. When ctx ends the server is told, and nothing is waited for. The error is that of ctx, or
// a *message.ToolError.
func (s *Server) CallTool(ctx context.Context, r Request, progress func(line string)) (*Answer, error) {
	opened, err := s.use(ctx)
	if err == nil && (s.Status().Agreed.Hash != r.Pin || opened.conn.Level != r.Level) {
		err = fmt.Errorf("the server %s is not as it was when this call was prepared: call again", s.definition.Name)
	}
	if err != nil {
		return nil, toolError(ctx, err)
	}
	c, token, end := opened.begin(progress)
	defer end()
	result, err := opened.callTool(ctx, c, token, r.Tool, r.Arguments)
	if err != nil {
		err = opened.conn.tell(err)
		if ctx.Err() == nil && isOver(err) {
			// The next call is not to find it, whenever its end is noticed.
			opened.close(err)
			err = errors.Join(opened.over(), err)
			s.fail(opened, err)
			s.notify()
		}
		return nil, toolError(ctx, fmt.Errorf("the server %s did not carry out %s: %s", s.definition.Name, r.Tool, explain(err)))
	}
	return &Answer{server: s.definition.Name, result: result, notes: c.noted()}, nil
}

// toolError is why a call failed: the end of its context as such, anything else as a failure of
// the tool.
func toolError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &message.ToolError{Code: message.ExecutionError, Message: err.Error()}
}

// callTool sends a call until the server asks for nothing more in between.
func (s *session) callTool(ctx context.Context, c *call, token, name string, arguments json.RawMessage) (*sdk.CallToolResult, error) {
	params := &sdk.CallToolParams{Name: name, Arguments: arguments}
	for range maxRounds {
		params.SetProgressToken(token)
		result, err := s.send(ctx, params)
		if err != nil || !result.NeedsInput() && result.InputRequests == nil {
			return result, err
		}
		// What is asked again has the same name and arguments.
		params = &sdk.CallToolParams{
			Name: name, Arguments: arguments, RequestState: result.RequestState,
			InputResponses: s.answerInputs(ctx, c, result.InputRequests),
		}
		if len(result.InputRequests) == 0 && !waitOrDone(ctx, time.Second) { // it is busy
			return nil, context.Cause(ctx)
		}
	}
	return nil, answerError(fmt.Sprintf("it asked for more %d times in one call", maxRounds))
}

// send sends a call and waits for its answer, the end of ctx, or that of the connection.
func (s *session) send(ctx context.Context, params *sdk.CallToolParams) (*sdk.CallToolResult, error) {
	type answer struct {
		result *sdk.CallToolResult
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if fault := recover(); fault != nil {
				a.result, a.err = nil, fmt.Errorf("%v", fault)
			}
			done <- a
		}()
		a.result, a.err = s.client.CallTool(ctx, params)
	}()
	select {
	case a := <-done:
		if a.err == nil && a.result == nil {
			a.err = errors.New("nothing")
		}
		return a.result, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-s.ended:
		if a, came := takeSoon(done); came && a.err == nil && a.result != nil {
			return a.result, nil // it was the last that the server said
		}
		return nil, errors.Join(s.over(), errEnded)
	}
}

// answerInputs answers what a server asks for in between. What is not offered is declined.
func (s *session) answerInputs(ctx context.Context, c *call, requests sdk.InputRequestMap) sdk.InputResponseMap {
	responses := make(sdk.InputResponseMap, len(requests))
	for id, request := range requests {
		if form, ok := request.(*sdk.ElicitParams); ok {
			responses[id] = s.answerForm(ctx, c, form)
		} else {
			c.note(fmt.Sprintf("the server %s asked for something that Fairlead does not offer", s.server))
		}
	}
	return responses
}
