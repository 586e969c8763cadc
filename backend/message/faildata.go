package message

// FailCause is what of several things a FailCode stands for. The list is closed.
type FailCause string

// The causes.
const (
	// FailRunLimit is the time limit of the run: LimitMs.
	FailRunLimit FailCause = "run_limit"
	// FailSilence is a model that sent nothing of its reply for LimitMs.
	FailSilence FailCause = "silence"
	// FailStoodStill is a stream that was dropped because the computer stood still.
	FailStoodStill FailCause = "stood_still"
	// FailRepeats is a reply that repeats the same words over and over.
	FailRepeats FailCause = "repeats"
	// FailGuard is a guard that the run was stopped by: Guard, GuardData, By.
	FailGuard FailCause = "guard"
	// FailProvider is an answer of the provider that says so: HTTPStatus, Said.
	FailProvider FailCause = "provider"
	// FailLost is an end that was saved and cannot be read any more.
	FailLost FailCause = "lost"
	// FailPlain is what the code alone tells, beside Said where there is some.
	FailPlain FailCause = "plain"
)

// FailData are the details of a failure, for programs: what shows one makes a sentence
// of its own from code and data.
type FailData struct {
	Cause FailCause `json:"cause"`
	// LimitMs is the time that was too long, in milliseconds.
	LimitMs int64 `json:"limitMs,omitempty"`
	// WaitMs is how long the provider asks to wait before anything is sent to it again,
	// where that is longer than is waited for, in milliseconds.
	WaitMs int64 `json:"waitMs,omitempty"`
	// HTTPStatus is the status that the provider answered with.
	HTTPStatus int `json:"httpStatus,omitempty"`
	// Said is what the provider, the system or a hook wrote of it: foreign text, which is
	// shown as such.
	Said string `json:"said,omitempty"`
	// Guard names the guard, GuardData is what it measured, and By is who decided that
	// the run stops.
	Guard     GuardKind  `json:"guard,omitempty"`
	GuardData *GuardData `json:"guardData,omitempty"`
	By        Decider    `json:"by,omitempty"`
}

// Redacted is the data with the known keys hidden; nil for none.
func (d *FailData) Redacted(redact func(string) string) *FailData {
	if d == nil {
		return nil
	}
	hidden := *d
	hidden.Said = redact(d.Said)
	return &hidden
}
