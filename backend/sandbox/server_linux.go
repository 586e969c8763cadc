package sandbox

import (
	"os"

	"fairlead/backend/sandbox/supervisor"
)

// Start starts the server, once, with its input, output and errors, of which the caller keeps
// and closes its own copies. Whatever keeps it from being confined is the error of
// Process.Result: it is not run then.
func (s *ServerSpace) Start(c Server, input, output, errors *os.File) (*Process, error) {
	at := s.space.placeFor(false)
	spec := supervisor.Spec{Arguments: append([]string{c.Program}, c.Arguments...), Dir: s.Folder(), Env: c.Env}
	if !s.bare {
		spec.Repositories, spec.Cover = c.Repositories, c.Cover
	}
	control, err := s.space.takeGuard(at)
	if err != nil {
		return nil, &SetUpError{err}
	}
	told := sendFiles(control, input, output, errors)
	p := newProcess(control)
	go func() {
		defer close(p.done)
		if told == nil { // else the guard has failed, and has said why
			told = supervisor.Write(p.control, &spec)
		}
		p.followReports(told)
		p.control.Close()
		s.space.countEnd(p, nil)
	}()
	return p, nil
}
