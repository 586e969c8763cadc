package backend

import (
	"context"

	"fairlead/backend/llm/tokens"
	"fairlead/backend/session"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

// OfferOf is what stands before the messages of each request of a conversation that is opened with a
// task, to a model that takes so many tokens at once; 0 where nobody knows. A folder of nil has no
// instructions and no skills.
func (b *Backend) OfferOf(ctx context.Context, folder *workspace.Folder, task Task, window int) (session.Offer, error) {
	each := b.describedTools(task.remembers())
	if folder != nil {
		skills, err := b.openSkills(folder, task).Tools(ctx)
		if err != nil {
			return session.Offer{}, err
		}
		each = append(each, skills...)
	}
	all, err := tool.NewRegistry(each...)
	if err != nil {
		return session.Offer{}, err
	}
	tools, err := tool.NewDispatcher(all, tool.Options{Allow: task.AllowTools, Presets: task.toolPresets()})
	if err != nil {
		return session.Offer{}, err
	}
	offer := session.Offer{
		Mode: task.Mode, MaxSteps: task.Limits.MaxSteps, Tools: tools.Without(task.GroupsOff), Window: window,
		CountTokens: tokens.Count, Instructions: session.Instructions{User: task.Instructions},
	}
	if folder != nil {
		offer.Instructions = b.readInstructions(folder, task)
	}
	return offer, nil
}
