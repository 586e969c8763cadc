package message

// RefusalCode says why a request to Fairlead itself was refused.
type RefusalCode string

// The codes of refused requests.
const (
	InvalidParams RefusalCode = "INVALID_PARAMS"
	NotFound      RefusalCode = "NOT_FOUND"
	InvalidState  RefusalCode = "INVALID_STATE"
	Busy          RefusalCode = "BUSY"
	// NothingToCompact means that too little was said to be summed up.
	NothingToCompact RefusalCode = "NOTHING_TO_COMPACT"
)

// Refusal is the answer to a request that cannot be carried out: an unknown run,
// a decision nobody waits for, a session that is running already.
type Refusal struct {
	Code RefusalCode `json:"code"`
	// Message says what was asked for and what is wrong with it.
	Message string `json:"message"`
	// Elsewhere says of BUSY that another process is working on it.
	Elsewhere bool `json:"elsewhere,omitempty"`
}

func (r *Refusal) Error() string { return string(r.Code) + ": " + r.Message }
