package extract

import (
	"bytes"
	"context"
	"encoding/xml"
	"path"
	"strings"
)

// relations lead from one part of an Office document to others (ECMA-376 part 2, 6.5).
type relations map[string]relation

type relation struct {
	// kind is the last word of the relation's type, as in "officeDocument"; target is the path
	// of the part in the archive, or an address elsewhere.
	kind, target string
}

// relationsOf reads where a part leads to; "" is the document as a whole. Many parts lead nowhere.
func relationsOf(ctx context.Context, a *archive, part string) (relations, error) {
	dir, base := path.Split(part)
	content, err := a.read(dir + "_rels/" + base + ".rels")
	if err != nil || content == nil {
		return nil, err
	}
	found := relations{}
	err = newMarkup(ctx, bytes.NewReader(content)).each(func(e *xml.StartElement) error {
		if e.Name.Local != "Relationship" {
			return nil
		}
		target := attribute(e, "Target")
		switch {
		case attribute(e, "TargetMode") == "External":
		case strings.HasPrefix(target, "/"):
			target = path.Clean(target)[1:]
		default:
			target = path.Join(dir, target)
		}
		kind := attribute(e, "Type")
		found[attribute(e, "Id")] = relation{kind[strings.LastIndexByte(kind, '/')+1:], target}
		return nil
	})
	return found, err
}

// of returns the targets of one kind.
func (r relations) of(kind string) (targets []string) {
	for _, relation := range r {
		if relation.kind == kind {
			targets = append(targets, relation.target)
		}
	}
	return targets
}

// first returns a target of one kind, or what is given where there is none.
func (r relations) first(kind, instead string) string {
	if targets := r.of(kind); len(targets) > 0 {
		return targets[0]
	}
	return instead
}

// openOffice opens an Office document, and returns the path of its main part, and where that leads to.
func openOffice(ctx context.Context, source Source, usual string) (a *archive, main string, links relations, err error) {
	if a, err = openArchive(source); err != nil {
		return nil, "", nil, err
	}
	top, err := relationsOf(ctx, a, "")
	if err != nil {
		return nil, "", nil, err
	}
	main = top.first("officeDocument", usual)
	if !a.has(main) {
		return nil, "", nil, broken("there is no %s in it", main)
	}
	links, err = relationsOf(ctx, a, main)
	return a, main, links, err
}

// openMarkup opens a part that is XML; the caller calls done. Where there is no such part, there
// is nothing in it.
func openMarkup(ctx context.Context, a *archive, part string) (m *markup, done func(), err error) {
	if !a.has(part) {
		return newMarkup(ctx, strings.NewReader("")), func() {}, nil
	}
	file, err := a.open(part)
	if err != nil {
		return nil, nil, err
	}
	return newMarkup(ctx, file), func() { _ = file.Close() }, nil
}
