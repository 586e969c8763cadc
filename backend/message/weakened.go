package message

import (
	"fmt"
	"slices"
)

// Weakened is what of a request goes out weaker than it was asked for (SPEC MOD-05).
type Weakened struct {
	What WeakenedPart
	// Asked is what was asked for, and Sent what goes out in its place; empty for nothing.
	Asked, Sent string
	// Window is how many tokens the model takes at once, and Server the kind of server on
	// this computer that has loaded it so, such as ollama; for WeakTools only, and Server
	// empty for another model.
	Window int
	Server string
}

// WeakenedPart is a part of a request.
type WeakenedPart string

// The parts that can be weaker.
const (
	// WeakEffort is the effort: it is lower, or left to the model.
	WeakEffort WeakenedPart = "effort"
	// WeakTools are the tools: Sent of Asked are offered, because the window is small.
	WeakTools WeakenedPart = "tools"
	// WeakSchema are the schemas of the tools, without some of their keywords.
	WeakSchema WeakenedPart = "schema"
	// WeakProtocol is the protocol, in place of which the provider wants another.
	WeakProtocol WeakenedPart = "protocol"
	// WeakPictures are the pictures: the newest Sent of them go out.
	WeakPictures WeakenedPart = "pictures"
)

// String says it in English.
func (w Weakened) String() string {
	switch w.What {
	case WeakEffort:
		return fmt.Sprintf("reasoning effort: %s in place of %s, because the model does not take that here", effortName(w.Sent), effortName(w.Asked))
	case WeakTools:
		return w.describeSmallWindow()
	case WeakSchema:
		return "the tools are described more simply, because the provider refused their schemas"
	case WeakProtocol:
		return fmt.Sprintf("the model is asked over %s in place of %s, as its provider wants it", w.Sent, w.Asked)
	case WeakPictures:
		if w.Sent == "0" {
			return "pictures are left out, because the model does not see"
		}
		return fmt.Sprintf("the model is shown the newest pictures only, because it takes at most %s at once", w.Sent)
	}
	return fmt.Sprintf("the request is weaker than asked: %s", w.What)
}

// describeSmallWindow says what a small window means, and how it is widened.
func (w Weakened) describeSmallWindow() string {
	text := fmt.Sprintf("the model takes only %d tokens at once, so it sees little of long files", w.Window)
	if w.Sent != w.Asked {
		text += fmt.Sprintf(" and is offered %s of %s tools", w.Sent, w.Asked)
	}
	return text + "; to widen its window, " + widenWindow(w.Server)
}

// widenWindow says how a model is given more tokens by its server. Sources: Ollama's page on the
// context length and its Modelfile, the help of llama-server, of LM Studio's lms load, and of
// vllm serve.
func widenWindow(server string) string {
	switch server {
	case "ollama":
		return "start Ollama with OLLAMA_CONTEXT_LENGTH=32768 (or move the slider in its settings), " +
			"or save the model anew: in ollama run, /set parameter num_ctx 32768, then /save NAME"
	case "llamacpp":
		return "start llama-server with -c 32768, or with a smaller --parallel, whose slots share the context"
	case "lmstudio":
		return "choose a larger context length in the model's settings in LM Studio, or load it with lms load NAME --context-length 32768"
	case "vllm":
		return "start vLLM with a larger --max-model-len, or a model that has more"
	}
	return "choose another model, or set context_window in the settings if it takes more"
}

func effortName(effort string) string {
	if effort == "" {
		return "the model's own"
	}
	return effort
}

// WeakenedParts are those that were told of a run.
type WeakenedParts []Weakened

// AddOnce adds one, and reports whether it was not there before.
func (p *WeakenedParts) AddOnce(w Weakened) bool {
	if slices.Contains(*p, w) {
		return false
	}
	*p = append(*p, w)
	return true
}
