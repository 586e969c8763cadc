package tool

import (
	"encoding/json"

	"fairlead/backend/message"
)

// Arguments decodes like Decode; its error is a *message.ToolError.
func Arguments[T any](arguments json.RawMessage) (T, error) {
	value, err := Decode[T](arguments)
	if err != nil {
		return value, &message.ToolError{Code: message.InvalidArguments, Message: err.Error()}
	}
	return value, nil
}
