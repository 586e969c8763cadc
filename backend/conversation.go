package backend

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"fairlead/backend/approve"
	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/demo"
	"fairlead/backend/llm/openai"
	"fairlead/backend/session"
	"fairlead/backend/tool"
	"fairlead/backend/tool/file"
	"fairlead/backend/tool/search"
	"fairlead/backend/tool/shell"
	"fairlead/backend/workspace"
)

// Task is what a conversation is opened with.
type Task struct {
	// Folder is the workspace.
	Folder string
	// Endpoint is where the model is reached.
	Endpoint catalog.Endpoint
	Mode     session.Mode
	Limits   session.Limits
	// ToolTimeout is the time limit of every tool call; 0 leaves each tool its
	// own, and toolTimeout to those that have none.
	ToolTimeout time.Duration
	// AllowTools are the tools that may be called: nil all, empty none.
	AllowTools []string
	// Approve says what is asked about, Asker asks, and ConfirmTimeout is how
	// long a question waits.
	Approve        approve.Mode
	Asker          approve.Asker
	ConfirmTimeout time.Duration
}

// toolTimeout is the time limit of a tool that names none.
const toolTimeout = 60 * time.Second

func (t Task) toolLimits() tool.Limits {
	if t.ToolTimeout == 0 {
		return tool.Limits{Default: toolTimeout}
	}
	return tool.Limits{Default: t.ToolTimeout, Binding: true}
}

// Conversation is an open conversation with what it holds.
type Conversation struct {
	*session.Session
	// Traffic counts the bytes of bodies sent to and received from the model.
	Traffic func() (up, down int64)

	folder  *workspace.Folder
	outputs *workspace.Outputs
}

// Begin opens a conversation. A workspace that cannot be one gives a
// *workspace.RefusedError.
func (b *Backend) Begin(task Task) (*Conversation, error) {
	folder, err := workspace.Open(task.Folder, b.own()...)
	if err != nil {
		return nil, err
	}
	id := newID()
	outputs, err := workspace.OpenOutputs(filepath.Join(b.outputsFolder(), id))
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	c := &Conversation{folder: folder, outputs: outputs}
	if c.Session, err = b.session(id, c, task); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// UseModel has the conversation go on with another model, which reads what was
// said so far.
func (b *Backend) UseModel(c *Conversation, endpoint catalog.Endpoint) error {
	model, name, err := b.model(c, endpoint)
	if err != nil {
		return err
	}
	c.UseModel(model, name)
	return nil
}

// Close gives the workspace back and deletes the full outputs of the
// conversation's calls, which nobody can come back to.
func (c *Conversation) Close() error {
	return errors.Join(c.folder.Close(), c.outputs.Remove())
}

func (b *Backend) session(id string, c *Conversation, task Task) (*session.Session, error) {
	model, name, err := b.model(c, task.Endpoint)
	if err != nil {
		return nil, err
	}
	tools := append(file.New(c.folder, c.outputs), search.New(c.folder)...)
	tools = append(tools, shell.New(c.folder, c.outputs))
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		return nil, err
	}
	dispatcher, err := tool.NewDispatcher(registry, task.AllowTools, task.toolLimits())
	if err != nil {
		return nil, err
	}
	return b.Sessions.New(id, session.Config{
		Tools: dispatcher, Model: model, ModelName: name, Mode: task.Mode, Limits: task.Limits,
		Desk: b.Desk, Asker: task.Asker, Approve: task.Approve, ConfirmTimeout: task.ConfirmTimeout,
		Top: c.folder.Top, Redact: b.Redactor.String, NewID: newID, Log: b.Log,
		Jitter: func() time.Duration { return rand.N(time.Second) }, //nolint:gosec // it spreads retries and guards nothing
	})
}

// model opens the model at an endpoint and says what to call it.
func (b *Backend) model(c *Conversation, endpoint catalog.Endpoint) (llm.Model, string, error) {
	if endpoint.Provider.Name == catalog.Demo {
		c.Traffic = func() (up, down int64) { return 0, 0 }
		return demo.Model{}, demo.Name, nil
	}
	key, err := b.key(context.Background(), endpoint)
	if err != nil {
		return nil, "", err
	}
	client, err := openai.New(openai.Config{
		BaseURL: endpoint.BaseURL, APIKey: key.Reveal(), Model: endpoint.Model,
		EchoReasoning: endpoint.Provider.EchoReasoning, Redact: b.Redactor.Bytes,
	})
	if err != nil {
		return nil, "", fmt.Errorf("open model: %w", err)
	}
	c.Traffic = client.Traffic
	return client, endpoint.Model, nil
}
