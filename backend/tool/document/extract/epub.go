package extract

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/url"
	"path"
	"strings"

	"fairlead/backend/markdown"
	"fairlead/backend/tool/document/exchange"
)

// maxChapter is the length of the longest chapter that is read, in bytes.
const maxChapter = 8 << 20

// readEPUB reads the chapters of a book (EPUB 3.3, 5.4 and 5.7).
func readEPUB(ctx context.Context, source Source, into *pages) error {
	into.text.Unit = exchange.Chapters
	a, err := openArchive(source)
	if err != nil {
		return err
	}
	chapters, err := listChapters(ctx, a)
	if err != nil {
		return err
	}
	locked, err := lockedParts(ctx, a)
	if err != nil {
		return err
	}
	into.text.Total = len(chapters)
	for i, part := range chapters {
		wanted, err := into.wants(i + 1)
		switch {
		case err != nil:
			return err
		case !wanted:
			continue
		case locked[part]:
			return &exchange.Failure{Reason: exchange.Password, Detail: "its publisher has encrypted it"}
		}
		content, err := a.read(part)
		if err != nil {
			return err
		}
		text, whole := into.fromHTML(ctx, content[:min(len(content), maxChapter)])
		if !whole || len(content) > maxChapter {
			into.text.Cut = true
		}
		label := fmt.Sprintf("chapter %d of %d", i+1, len(chapters))
		if err := into.add(exchange.Part{First: i + 1, Last: i + 1, Label: label, Text: text + "\n"}); err != nil {
			return err
		}
	}
	return nil
}

// listChapters lists the parts of a book that are read one after the other.
func listChapters(ctx context.Context, a *archive) (chapters []string, err error) {
	m, done, err := openMarkup(ctx, a, "META-INF/container.xml")
	if err != nil {
		return nil, err
	}
	defer done()
	main := ""
	if err := m.each(func(e *xml.StartElement) error {
		if e.Name.Local == "rootfile" && main == "" {
			main = attribute(e, "full-path")
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if !a.has(main) {
		return nil, broken("it does not say where its text is")
	}
	m, done, err = openMarkup(ctx, a, main)
	if err != nil {
		return nil, err
	}
	defer done()
	parts := map[string]string{}
	err = m.each(func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "item":
			if name, err := url.PathUnescape(attribute(e, "href")); err == nil && strings.Contains(attribute(e, "media-type"), "html") {
				parts[attribute(e, "id")] = path.Join(path.Dir(main), name)
			}
		case "itemref":
			if part := parts[attribute(e, "idref")]; a.has(part) {
				chapters = append(chapters, part)
			}
		}
		return nil
	})
	return chapters, err
}

// lockedParts lists what is encrypted in a book. Fonts often are, in one that can be read.
func lockedParts(ctx context.Context, a *archive) (map[string]bool, error) {
	m, done, err := openMarkup(ctx, a, "META-INF/encryption.xml")
	if err != nil {
		return nil, err
	}
	defer done()
	locked := map[string]bool{}
	err = m.each(func(e *xml.StartElement) error {
		if e.Name.Local == "CipherReference" {
			if name, err := url.PathUnescape(attribute(e, "URI")); err == nil {
				locked[path.Clean(name)] = true
			}
		}
		return nil
	})
	return locked, err
}

// maxPage is the length of the longest page of HTML that is read, in bytes.
const maxPage = 32 << 20

func readHTML(ctx context.Context, source Source, into *pages) error {
	content, err := source.all(maxPage)
	if err != nil {
		return err
	}
	text, whole := into.fromHTML(ctx, content)
	into.text.Cut = !whole
	return into.whole(text + "\n")
}

// fromHTML is a page of HTML in Markdown, escaped where that is wanted, and whether that is all of it.
func (p *pages) fromHTML(ctx context.Context, content []byte) (text string, whole bool) {
	page := markdown.Decode(content, "")
	if p.escape {
		return markdown.Escaped(ctx, page)
	}
	return markdown.FromHTML(ctx, page, nil)
}
