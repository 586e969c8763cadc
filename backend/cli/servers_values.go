package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"fairlead/backend"
	"fairlead/backend/message"
)

// maxValue bounds a value that is read, in bytes.
const maxValue = 64 << 10

// askValues asks for the values that are missing, without showing them, or says how they are given.
func (a *adding) askValues(w wanted) {
	d := w.Definition
	given := w.values()
	for _, name := range slices.Concat(d.Variables, d.Headers) {
		if given[name] != "" || a.b.Servers.Values.Kept(a.ctx, d.Name, name) {
			continue
		}
		_, ofUser := os.LookupEnv(name)
		ofUser = ofUser && slices.Contains(d.Variables, name)
		value, asked := "", a.asker.streams.ReadHidden != nil && !a.asker.yes
		if asked {
			value = a.readValue(name, ofUser)
		}
		switch {
		case value != "":
			a.b.Redactor.Add(value)
			if err := a.b.Servers.Values.Save(a.ctx, d.Name, name, value); err != nil {
				a.sayUnsaved(d, err)
			}
		case ofUser && !asked:
			a.asker.say("The value of %s is that of your environment at each start.", name)
		case !ofUser:
			a.asker.say("%s has no value yet; give it with: fairlead mcp set %s %s", name, d.Name, name)
		}
	}
}

// readValue reads a value at the terminal; empty for none.
func (a *adding) readValue(name string, ofUser bool) string {
	hint := "Enter leaves it out"
	if ofUser {
		hint = "Enter takes that of your environment at each start"
	}
	a.asker.streams.Forget()
	fmt.Fprintf(a.asker.streams.Err, "Value of %s, which is not shown (%s): ", message.Inline(name), hint)
	value, err := a.asker.streams.ReadHidden(a.interrupts.beforeEnd)
	fmt.Fprintln(a.asker.streams.Err)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(value)
}

// setValue gives a value.
type setValue struct {
	Name     string `arg:"" help:"The name of the server."`
	Variable string `arg:"" help:"The variable or the header."`
}

// Run reads a value, at the terminal or as a line of standard input, and keeps it in the keyring.
func (c *setValue) Run(with *surroundings) error {
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) error {
		server, err := b.Servers.Registry.Server(c.Name)
		if err != nil {
			return err
		}
		isVariable := slices.Contains(server.Variables, c.Variable)
		if !isVariable && !slices.Contains(server.Headers, c.Variable) {
			return &usageError{
				problem: fmt.Sprintf("the server %s has no variable and no header %s", c.Name, message.Inline(c.Variable)),
				hint:    "fairlead mcp list --output json shows those that it has",
			}
		}
		value, err := readSecret(with, c.Variable)
		if err != nil {
			return err
		}
		if value == "" {
			return &usageError{problem: "the value is empty", hint: "type it, or give it as a line of standard input"}
		}
		b.Redactor.Add(value)
		if err := b.Servers.Values.Save(ctx, c.Name, c.Variable, value); err != nil {
			if isVariable {
				return fmt.Errorf("keep the value of %s: %w; or set the environment variable %s, which is taken at each start", c.Variable, err, c.Variable)
			}
			return fmt.Errorf("keep the value of %s: %w", c.Variable, err)
		}
		_, err = fmt.Fprintf(with.streams.Err, "The value of %s is in the keyring.\n", c.Variable)
		return err
	})
}

// readSecret reads a line that nobody is to see.
func readSecret(with *surroundings, name string) (string, error) {
	if with.streams.ReadHidden != nil {
		fmt.Fprintf(with.streams.Err, "Value of %s, which is not shown: ", message.Inline(name))
		value, err := with.streams.ReadHidden(with.interrupts.beforeEnd)
		fmt.Fprintln(with.streams.Err)
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read the value: %w", err)
		}
		return strings.TrimSpace(value), nil
	}
	line, err := bufio.NewReader(io.LimitReader(with.streams.In, maxValue)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the value: %w", err)
	}
	return strings.TrimSpace(line), nil
}
