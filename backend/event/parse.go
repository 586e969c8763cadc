package event

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// kinds are the payloads that an event of a run can have, by type.
var kinds = func() map[Type]reflect.Type {
	byType := map[Type]reflect.Type{}
	for _, data := range []Data{
		LifecycleStart{},
		StepStarted{},
		AssistantDelta{},
		ReasoningDelta{},
		AssistantFinal{},
		ToolCall{},
		ConfirmRequest{},
		ConfirmResult{},
		ChangesRequest{},
		ChangesResult{},
		DraftOpened{},
		DraftChanged{},
		DraftApplied{},
		DraftDropped{},
		ToolRunning{},
		ToolProgress{},
		ToolResult{},
		StepCompleted{},
		RequestWeakened{},
		LLMRetry{},
		GuardWarning{},
		GuardRequest{},
		GuardResult{},
		PromptQueued{},
		PromptChanged{},
		PromptRemoved{},
		PromptJoined{},
		RunInterrupt{},
		ContextCompacted{},
		UsageData{},
		Decision{},
		RecordGap{},
		LifecycleEnd{},
		LifecycleError{},
	} {
		byType[data.EventType()] = reflect.TypeOf(data)
	}
	return byType
}()

// Parse reads the payload of an event of a run from its JSON.
func Parse(kind Type, text []byte) (Data, error) {
	known, ok := kinds[kind]
	if !ok {
		return nil, fmt.Errorf("read event: unknown type %q", kind)
	}
	value := reflect.New(known)
	if err := json.Unmarshal(text, value.Interface()); err != nil {
		return nil, fmt.Errorf("read event %s: %w", kind, err)
	}
	return value.Elem().Interface().(Data), nil //nolint:forcetypeassert // kinds holds nothing else
}
