package message

import "slices"

// Sentence says in words what becomes of changes that are not applied.
func (f ChangesFate) Sentence() string {
	if f == ChangesSetAside {
		return "they are set aside, and the user can apply them later"
	}
	return "they were dropped"
}

// WithRest is the result of a call with that of applying its changes.
func (r Result) WithRest(applied Result) Result {
	r.Content = append(slices.Clone(r.Content), applied.Content...)
	if applied.Error != nil {
		r.Error = applied.Error
	}
	r.Changes = append(slices.Clone(r.Changes), applied.Changes...)
	r.Notices = append(slices.Clone(r.Notices), applied.Notices...)
	return r
}

// WithApplied is the same for changes that were decided about, and says that they were applied.
func (r Result) WithApplied(applied Result) Result {
	if applied.Error != nil {
		return r.WithRest(applied)
	}
	r.Content = r.Content.After("(the changes of this call were applied)")
	return r.WithRest(applied).withFate(ChangesApplied)
}

// WithUnapplied is the result of a call whose changes were not applied, with why, and what
// letting go of them returned. A call that failed anyway keeps its own error.
func (r Result) WithUnapplied(why *ToolError, ended Result, fate ChangesFate) Result {
	r.Content = append(slices.Clone(r.Content), ended.Content...)
	if r.Error == nil {
		r.Error = why
	} else {
		r.Content = r.Content.After("(" + why.Message + ")")
	}
	return r.withFate(fate)
}

func (r Result) withFate(fate ChangesFate) Result {
	data := ResultData{}
	if r.Data != nil {
		data = *r.Data
	}
	data.Changes = fate
	r.Data = &data
	return r
}
