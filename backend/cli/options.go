package cli

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"fairlead/backend/settings"
)

// options are the flags of fairlead run that are settings. They are made from the table of
// settings, which has their names, defaults and ranges; what is given is decoded there.
type options struct {
	// values are what flags, or else their variables, give, in the order of the table;
	// empty where neither gives anything.
	values []string
}

// bound are the settings that the file makes for its own provider or address only:
// where one of these is given elsewhere, nothing may go where the file says, nor
// the file's key to another place.
var bound = map[string][]string{
	"api_key_env": {"provider", "base_url"},
	"base_url":    {"provider"},
	"model":       {"provider"},
}

// workspaceFlag is the flag after which those of settings stand in the help.
const workspaceFlag = "workspace"

// completeGrammar adds the flags to fairlead run, and gives every flag its environment
// variable. Tags of fields would do that too: kong reads them by reflection, and looks into
// all of them anew for each flag, which takes a twentieth of a start.
func (o *options) completeGrammar(parser *kong.Kong) error {
	return kong.Visit(parser.Model.Node, func(at kong.Visitable, next kong.Next) error {
		switch at := at.(type) {
		case *kong.Node:
			if at.Type == kong.CommandNode && at.Name == "run" {
				o.addTo(at)
			}
		case *kong.Flag:
			if at.Name != "help" {
				at.Tag.Envs = []string{settings.Variable(at.Name)}
			}
		}
		return next(nil)
	})
}

// addTo adds the flags to a command.
func (o *options) addTo(command *kong.Node) {
	all := settings.Options()
	o.values = make([]string, len(all))
	var flags []*kong.Flag
	for i, option := range all {
		if option.Flag == "" {
			continue
		}
		help := strings.ReplaceAll(option.Help, "${default}", option.Default)
		flag := &kong.Flag{PlaceHolder: option.Placeholder, Value: &kong.Value{
			Name: option.Flag, Help: help, OrigHelp: help, Tag: &kong.Tag{},
			Mapper: optionMapper{option}, Target: reflect.ValueOf(&o.values[i]).Elem(), DefaultValue: reflect.ValueOf(""),
		}}
		flag.Flag = flag
		flags = append(flags, flag)
	}
	at := 0
	for i, flag := range command.Flags {
		if flag.Name == workspaceFlag {
			at = i + 1
		}
	}
	command.Flags = append(command.Flags[:at:at], append(flags, command.Flags[at:]...)...)
}

// overrideSettings returns the settings with what flags and variables give over what the
// file says. A value out of range is a *usageError.
func (o *options) overrideSettings(file settings.File) (settings.File, error) {
	given, err := o.givenValues()
	if err != nil {
		return settings.File{}, err
	}
	isGiven := func(key string) bool { return given[key] != "" }
	var without []string
	for key, others := range bound {
		if slices.ContainsFunc(others, isGiven) {
			without = append(without, key)
		}
	}
	return file.With(given, without...), nil
}

// givenValues returns what flags and variables give, by the keys of the settings.
func (o *options) givenValues() (map[string]string, error) {
	given := map[string]string{}
	for i, option := range settings.Options() {
		name, value := "--"+option.Flag, o.values[i]
		if option.Flag == "" {
			// The file was checked when it was read, and without a flag nothing else was.
			name, value = option.Variable(), os.Getenv(option.Variable())
		}
		if value == "" {
			continue
		}
		if err := option.Check(value); err != nil {
			return nil, newUsageError(fmt.Errorf("%s %w", name, err))
		}
		given[option.Key] = option.FromFlag(value)
	}
	return given, nil
}

// optionMapper reads the value of a flag as it stands; the range is looked at later.
type optionMapper struct{ option settings.Option }

// IsBool implements kong.BoolMapper.
func (m optionMapper) IsBool() bool { return m.option.IsBool() }

// Decode implements kong.Mapper.
func (m optionMapper) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	if m.option.IsBool() && ctx.Scan.Peek().Type != kong.FlagValueToken {
		target.SetString("true")
		return nil
	}
	return ctx.Scan.PopValueInto(m.option.Placeholder, target.Addr().Interface())
}
