package backend

import (
	"sync"

	"fairlead/backend/message"
)

// displays are how calls to the built-in tools are shown, by the name of the tool.
var displays = sync.OnceValue(func() map[string]*message.Display {
	byName := map[string]*message.Display{}
	for _, t := range (&Backend{}).describedTools(true) {
		definition := t.Definition()
		byName[definition.Name] = &definition.Display
	}
	return byName
})

// displayOf says how calls to a built-in tool are shown; nil where there is none of that
// name.
func displayOf(toolName string) *message.Display { return displays()[toolName] }
