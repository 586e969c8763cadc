package backend

import (
	"sync"

	"fairlead/backend/message"
	"fairlead/backend/tool/shell"
	"fairlead/backend/tool/web"
)

// displays are how calls to the built-in tools are shown, by the name of the tool.
var displays = sync.OnceValue(func() map[string]*message.Display {
	byName := map[string]*message.Display{}
	all, err := registry(nil, nil, shell.Options{}, web.Options{}) // for no folder: none of them is called
	if err != nil {
		return byName
	}
	for _, definition := range all.Definitions() {
		byName[definition.Name] = &definition.Display
	}
	return byName
})

// displayOf says how calls to a built-in tool are shown; nil where there is none of that
// name.
func displayOf(toolName string) *message.Display { return displays()[toolName] }
