package backend

import (
	"context"
	"fmt"
	"path/filepath"

	"fairlead/backend/skill"
	"fairlead/backend/workspace"
)

// skillsFolder is where the user's own skills lie.
func (b *Backend) skillsFolder() string { return filepath.Join(b.Folders.Config, "skills") }

// skillFolders are the folders of the user's own skills whose scripts commands run, where there is
// one.
func (b *Backend) skillFolders() []string {
	if !skill.IsFolder(b.skillsFolder()) {
		return nil
	}
	return []string{b.skillsFolder()}
}

// OwnSkills returns the user's own skills.
func (b *Backend) OwnSkills(ctx context.Context) (skill.Found, error) {
	return skill.NewLibrary(nil, b.skillsFolder()).Find(ctx)
}

// openSkills is where the skills of a conversation come from: the user's own, and those of its folder
// to which the user agreed as they are. They are looked for at the start of each run.
func (b *Backend) openSkills(folder *workspace.Folder, task Task) *skill.Toolset {
	library := skill.NewLibrary(folder, b.skillsFolder())
	return skill.NewToolset(library, func(ctx context.Context) ([]skill.Skill, error) {
		found, err := library.Find(ctx)
		return found.Choose(func(s skill.Skill) bool {
			return s.Source == skill.SourceUser || task.UseSkill != nil && task.UseSkill(folder.Path(), s)
		}), err
	})
}

// HashSkills returns the SHA-256 of all skills in the conversation's folder, as they are now, by
// their folders.
func (c *Conversation) HashSkills(ctx context.Context) (map[string]string, error) {
	found, err := skill.NewLibrary(c.folder, "").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for skills: %w", err)
	}
	hashes := map[string]string{}
	for _, s := range found.Skills {
		hashes[s.Folder] = s.SHA256
	}
	return hashes, nil
}
