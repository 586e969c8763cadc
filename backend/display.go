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
	// For no folder: none of them is called.
	for _, t := range (&Backend{}).builtIn(nil, nil, nil, shell.Options{}, web.Options{}).Each {
		definition := t.Definition()
		byName[definition.Name] = &definition.Display
	}
	return byName
})

// displayOf says how calls to a built-in tool are shown; nil where there is none of that
// name.
func displayOf(toolName string) *message.Display { return displays()[toolName] }
