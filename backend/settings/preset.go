package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// The tables of the file that hold values for parameters of tools, by the name of the
// tool: [presets.shell] and [defaults.shell].
const (
	presetTable  = "presets"
	defaultTable = "defaults"
)

// ToolValues are values for parameters of tools, as JSON, by tool and parameter.
type ToolValues map[string]map[string]json.RawMessage

// ToolPresets are the values that hold for every call, whatever the model wants.
func (f File) ToolPresets() ToolValues { return f.tools[presetTable] }

// ToolDefaults are the values that hold where the model gives none.
func (f File) ToolDefaults() ToolValues { return f.tools[defaultTable] }

// toolValues reads one of the tables. Whether there are such tools and parameters is
// for those to say who know them.
func toolValues(table string, value any) (ToolValues, error) {
	tools, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s must be tables by tool, such as [%s.shell]", table, table)
	}
	values := ToolValues{}
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		parameters, ok := tools[name].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s.%s must be a table of parameters", table, name)
		}
		values[name] = map[string]json.RawMessage{}
		for parameter, given := range parameters {
			text, err := json.Marshal(given)
			if err != nil {
				return nil, fmt.Errorf("%s.%s.%s cannot be given to a tool: %w", table, name, parameter, err)
			}
			values[name][parameter] = text
		}
	}
	return values, nil
}
