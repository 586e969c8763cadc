//go:build bindings

package desktop

import (
	"fairlead/backend/doctor"
	"fairlead/backend/event"
)

// Generating reports that Open only writes the page's view of the bound methods.
const Generating = true

func init() { generated = []any{&Types{}} }

// Types has what the page reads without calling for it.
type Types struct{}

// Page takes events and what asset routes give, so that their types are written for the
// page along with those of the calls.
func (Types) Page(
	_ Envelope, _ State, _ SettingsList, _ doctor.Finding, _ RunState, _ RunList, _ SessionList, _ Listing, _ FilePreview, _ NameList, _ KnownFiles, _ Found, _ Fault, _ Review, _ OfferedModels, _ ReviewText, _ UndoPlan, _ DraftView, _ Context, _ Memory, _ ServerList, _ FoundServers, _ ServerText, _ ServerOffer, _ SuggestionList, _ SuggestionText, _ event.DraftState,
	_ event.LifecycleStart, _ event.StepStarted, _ event.AssistantDelta, _ event.ReasoningDelta,
	_ event.ToolCall, _ event.ConfirmRequest, _ event.ConfirmResult, _ event.ChangesRequest, _ event.ChangesResult, _ event.ToolRunning, _ event.ToolProgress,
	_ event.ToolResult, _ event.StepCompleted, _ event.RequestWeakened, _ event.LLMRetry, _ event.GuardWarning, _ event.UsageData,
	_ event.AssistantFinal, _ event.GuardRequest, _ event.GuardResult, _ event.PromptQueued, _ event.PromptChanged,
	_ event.PromptRemoved, _ event.PromptJoined, _ event.RunInterrupt, _ event.ContextCompacted,
	_ event.Decision, _ event.LifecycleEnd, _ event.LifecycleError,
	_ event.WorkspaceChanged, _ event.WindowChanged, _ event.WindowClosing, _ event.SessionsChanged, _ event.ProcessesChanged,
	_ event.WindowReview, _ event.JournalUndone, _ event.JournalRedone,
) (None, error) {
	return None{}, nil
}
