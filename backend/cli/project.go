package cli

import (
	"context"
	"fmt"
	"path"
	"sync"

	"fairlead/backend"
	"fairlead/backend/message"
	"fairlead/backend/skill"
	"fairlead/backend/workspace"
)

// project is what the folder brings for the model. The user agrees to it by flags, and so to what
// there is when Fairlead is started: what is made or changed later is left out (SPEC MSG-10).
type project struct {
	// instructions and skills are, by path, the SHA-256 of those that were agreed to, and
	// givesInstructions and givesSkills report whether the flags were given.
	instructions, skills           map[string]string
	givesInstructions, givesSkills bool

	mu sync.Mutex
	// top are the instructions at the top of the folder, and leftOut the folders of the skills
	// that are left out.
	top     workspace.Instructions
	leftOut map[string]bool
}

// agree notes what there is of what the flags of a command agree to.
func (p *project) agree(in *backend.Conversation, command *runCommand) (err error) {
	p.givesInstructions, p.givesSkills = command.ProjectInstructions, command.ProjectSkills
	if p.givesInstructions {
		if p.instructions, err = in.HashInstructions(context.Background()); err != nil {
			return err
		}
	}
	if p.givesSkills {
		p.skills, err = in.HashSkills(context.Background())
	}
	return err
}

// useInstructions reports whether the model is given instructions. It is called while a run works,
// and so leaves it to the writing of the run to tell.
func (p *project) useInstructions(_ string, found workspace.Instructions) bool {
	if path.Dir(found.Path) == "." {
		p.mu.Lock()
		p.top = found
		p.mu.Unlock()
	}
	return p.instructions[found.Path] == found.SHA256
}

// useSkill is useInstructions for a skill.
func (p *project) useSkill(_ string, found skill.Skill) bool {
	use := p.skills[found.Folder] == found.SHA256
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.leftOut == nil {
		p.leftOut = map[string]bool{}
	}
	p.leftOut[found.Folder] = !use
	return use
}

// notes are what there is to say of what is left out, a line each.
func (p *project) notes() (notes []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	note := func(form string, a ...any) { notes = append(notes, "note: "+fmt.Sprintf(form, a...)) }
	name := message.Inline(p.top.Path)
	switch {
	case p.top.Text == "":
	case !p.givesInstructions:
		note("%s is left out; --project-instructions gives it to the model", name)
	case p.instructions[p.top.Path] != p.top.SHA256:
		note("%s is left out: it has changed since Fairlead was started", name)
	case p.top.Cut:
		note("the model is given the first %d of %d bytes of %s", len(p.top.Text), p.top.Bytes, name)
	}
	left := 0
	for _, out := range p.leftOut {
		if out {
			left++
		}
	}
	switch {
	case left == 0:
	case !p.givesSkills && left == 1:
		note("1 skill of the folder is left out; --project-skills lets the model read it")
	case !p.givesSkills:
		note("%d skills of the folder are left out; --project-skills lets the model read them", left)
	default:
		note("skills of the folder that have changed since Fairlead was started are left out: %d", left)
	}
	return notes
}
