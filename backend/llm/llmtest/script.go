// Package llmtest is a model for tests: it answers from a script, over loopback
// HTTP or in memory, and is as strict about what it is sent as the strictest
// real server. A script reads like the conversation it stands for:
//
//	# first reply: one tool call
//	text I look at the file.
//	call call_1 read_file {"path":"a.txt"}
//	---
//	# second reply: the answer, after a pause
//	wait 2s
//	text "The file is empty.\n"
//	usage 120 8
//
// Replies are separated by a line of three hyphens. Each line of a reply is one
// directive; a line that starts with # is a comment. REST is the rest of the
// line, taken as a Go string when it is quoted.
//
//	text REST             text; neighbouring text lines make one chunk
//	chunk REST            text in a chunk of its own
//	reasoning REST        reasoning, in a chunk of its own
//	call ID NAME ARGS     a tool call in two chunks; ID - is none, ARGS may be empty
//	finish REASON         the finish reason; none sends no finish chunk
//	usage P C [CACHED [REASONING]]  token counts, sent after the finish; over Messages,
//	                      usage counted tells of the request what the cache has of it
//	wait DURATION         pause before what follows
//	hang                  send nothing more until the request ends
//	cut                   end here, with neither finish nor [DONE]
//	raw REST              a raw line into the stream
//	status CODE REST      an HTTP error with this body instead of a stream
//	body TYPE REST        a 200 of this content type with this body instead
//	header NAME: VALUE    a header of the response
//	when REST             give this reply to every request whose body has this text, and
//	unless REST           to none that has this one; such a reply is never used up
//
// Without a finish line a reply finishes tool_calls when it has calls, else stop.
package llmtest

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Reply is one answer of the scripted model. Parse makes them.
type Reply struct {
	steps  []step
	finish string
	usage  *usage
	// counted is set where the usage is computed from the request.
	counted bool
	status  int
	header  http.Header
	// when and unless are what a request must have, and must not have, to get this reply.
	when, unless []string
}

// isFor reports whether a reply that has conditions is the one to a request.
func (r Reply) isFor(body []byte) bool {
	has := func(text string) bool { return bytes.Contains(body, []byte(text)) }
	lacks := func(text string) bool { return !has(text) }
	return !slices.ContainsFunc(r.when, lacks) && !slices.ContainsFunc(r.unless, has)
}

func (r Reply) hasConditions() bool { return len(r.when)+len(r.unless) > 0 }

// step is one thing a reply does, in order.
type step struct {
	kind stepKind
	text string
	call call
	wait time.Duration
}

type stepKind int

const (
	stepText stepKind = iota
	stepReasoning
	stepCall
	stepWait
	stepHang
	stepCut
	stepRaw
	stepBody
)

type call struct{ id, name, arguments string }

type usage struct{ prompt, completion, cached, reasoning int }

// ParseError is a line of a script that makes no sense.
type ParseError struct {
	// Line counts from 1.
	Line int
	// Problem says what is wrong with it.
	Problem string
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("parse script: line %d: %s", e.Line, e.Problem)
}

// Parse reads a script. The error is a *ParseError.
func Parse(text string) ([]Reply, error) {
	var replies []Reply
	p := newParser()
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "---":
			replies = append(replies, p.endReply())
			p = newParser()
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		default:
			if err := p.readDirective(strings.TrimLeft(line, " \t")); err != nil {
				return nil, &ParseError{Line: i + 1, Problem: err.Error()}
			}
		}
	}
	return append(replies, p.endReply()), nil
}

// parser collects the reply that is being read.
type parser struct {
	reply Reply
	// joining says that the line before was a text line.
	joining bool
}

func newParser() *parser {
	return &parser{reply: Reply{status: http.StatusOK, header: http.Header{}}}
}

// endReply completes the reply with the finish it did not name.
func (p *parser) endReply() Reply {
	if p.reply.finish != "" {
		return p.reply
	}
	p.reply.finish = "stop"
	for _, s := range p.reply.steps {
		if s.kind == stepCall {
			p.reply.finish = "tool_calls"
		}
	}
	return p.reply
}

func (p *parser) add(s step) {
	p.reply.steps = append(p.reply.steps, s)
}

func (p *parser) readDirective(line string) error {
	name, rest, _ := strings.Cut(line, " ")
	join := p.joining && name == "text"
	p.joining = name == "text"
	switch name {
	case "text":
		if join {
			p.reply.steps[len(p.reply.steps)-1].text += unquoteText(rest)
			return nil
		}
		p.add(step{kind: stepText, text: unquoteText(rest)})
	case "chunk":
		p.add(step{kind: stepText, text: unquoteText(rest)})
	case "reasoning":
		p.add(step{kind: stepReasoning, text: unquoteText(rest)})
	case "raw":
		p.add(step{kind: stepRaw, text: unquoteText(rest)})
	case "hang":
		p.add(step{kind: stepHang})
	case "cut":
		p.add(step{kind: stepCut})
	case "call":
		return p.readCall(rest)
	case "finish":
		if rest == "" {
			return fmt.Errorf("finish needs a reason, or none")
		}
		p.reply.finish = rest
	case "usage":
		return p.readUsage(rest)
	case "wait":
		return p.wait(rest)
	case "header":
		return p.readHeader(rest)
	case "when":
		p.reply.when = append(p.reply.when, unquoteText(rest))
	case "unless":
		p.reply.unless = append(p.reply.unless, unquoteText(rest))
	case "status":
		return p.readStatus(rest)
	case "body":
		contentType, body, _ := strings.Cut(rest, " ")
		p.reply.header.Set("Content-Type", contentType)
		p.add(step{kind: stepBody, text: unquoteText(body)})
	default:
		return fmt.Errorf("unknown directive %q", name)
	}
	return nil
}

func (p *parser) readCall(rest string) error {
	id, rest, _ := strings.Cut(rest, " ")
	name, arguments, _ := strings.Cut(rest, " ")
	if id == "" || name == "" {
		return fmt.Errorf("call needs an id (or -) and a name")
	}
	if id == "-" {
		id = ""
	}
	p.add(step{kind: stepCall, call: call{id: id, name: name, arguments: arguments}})
	return nil
}

func (p *parser) readUsage(rest string) error {
	if rest == "counted" {
		p.reply.counted = true
		return nil
	}
	fields := strings.Fields(rest)
	if len(fields) < 2 || len(fields) > 4 {
		return fmt.Errorf("usage needs two to four numbers")
	}
	var counts [4]int
	for i, field := range fields {
		count, err := strconv.Atoi(field)
		if err != nil {
			return fmt.Errorf("usage %q is not a number", field)
		}
		counts[i] = count
	}
	p.reply.usage = &usage{prompt: counts[0], completion: counts[1], cached: counts[2], reasoning: counts[3]}
	return nil
}

func (p *parser) wait(rest string) error {
	wait, err := time.ParseDuration(strings.TrimSpace(rest))
	if err != nil {
		return fmt.Errorf("wait %q is not a duration", rest)
	}
	p.add(step{kind: stepWait, wait: wait})
	return nil
}

func (p *parser) readHeader(rest string) error {
	name, value, found := strings.Cut(rest, ":")
	if !found {
		return fmt.Errorf("header needs NAME: VALUE")
	}
	p.reply.header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	return nil
}

func (p *parser) readStatus(rest string) error {
	code, body, _ := strings.Cut(rest, " ")
	status, err := strconv.Atoi(code)
	if err != nil || status < 200 || status > 599 {
		return fmt.Errorf("status %q is not an HTTP status", code)
	}
	p.reply.status = status
	p.add(step{kind: stepBody, text: unquoteText(body)})
	return nil
}

// unquoteText takes rest as a Go string where it is one, else as it stands.
func unquoteText(rest string) string {
	if text, err := strconv.Unquote(rest); err == nil {
		return text
	}
	return rest
}
