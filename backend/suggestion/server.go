package suggestion

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fairlead/backend/mcp"
	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// Offer is an MCP server that a file of the folder defines for other programs. It is never started
// for that: the user adds it, as any other, to be asked about then.
type Offer struct {
	// File is where the definition stands, and Name what the file calls it; empty where the file
	// cannot be read as definitions.
	File string `json:"file"`
	Name string `json:"name"`
	// Runs is what would run, or be connected to, in one line; empty where nothing would.
	Runs string `json:"runs"`
	// Needs are what the definition has no value for, and NotTaken its fields that mean nothing
	// here.
	Needs    []string `json:"needs"`
	NotTaken []string `json:"notTaken"`
	// Refused is why it cannot be added; empty where it can.
	Refused string `json:"refused"`
}

// serverFiles are files with nothing but servers. settingsFiles can have some, and are shown whole
// as an assistant's where they cannot be read.
var (
	serverFiles = []string{
		".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", ".roo/mcp.json", ".kiro/settings/mcp.json", ".amazonq/mcp.json",
	}
	settingsFiles = []string{
		".gemini/settings.json", ".qwen/settings.json", ".opencode.json", "opencode.json", "opencode.jsonc", ".crush.json", "crush.json",
	}
)

const (
	// maxOffers is how many servers of one folder are shown.
	maxOffers = 50
	// maxServerName is how much of a server's name stands in its path, in bytes.
	maxServerName = 128
)

// findServers returns the servers of all files that may define some.
func findServers(ctx context.Context, folder *workspace.Folder) (found []Suggestion, more bool, err error) {
	for _, name := range slices.Concat(serverFiles, settingsFiles) {
		offered, cut, err := readServers(ctx, folder, name)
		if ctx.Err() != nil {
			return nil, false, context.Cause(ctx)
		}
		if err != nil {
			continue // it is not there, or refused to be read
		}
		found, more = append(found, offered...), more || cut
	}
	if len(found) > maxOffers {
		found, more = found[:maxOffers], true
	}
	return found, more, nil
}

// readServer reads one server by its path.
func readServer(ctx context.Context, folder *workspace.Folder, name string) (Suggestion, error) {
	file, _, _ := strings.Cut(name, "#")
	if !slices.Contains(serverFiles, file) && !slices.Contains(settingsFiles, file) {
		return Suggestion{}, missing(name)
	}
	all, _, err := readServers(ctx, folder, file)
	if err != nil {
		return Suggestion{}, err
	}
	at := slices.IndexFunc(all, func(s Suggestion) bool { return s.Path == name })
	if at < 0 {
		return Suggestion{}, missing(name)
	}
	return all[at], nil
}

// readServers reads the servers of one file. Where it has nothing but servers and cannot be read as
// such, it is one suggestion with the reason.
func readServers(ctx context.Context, folder *workspace.Folder, name string) (found []Suggestion, more bool, err error) {
	content, _, err := readText(ctx, folder, name, mcp.MaxOffered)
	if err != nil || len(bytes.TrimSpace(content)) == 0 {
		return nil, false, err
	}
	offers, more, err := mcp.Offers(string(content))
	if err != nil {
		if slices.Contains(settingsFiles, name) {
			return nil, false, nil
		}
		return []Suggestion{ofServer(name, string(content), string(content), Offer{
			File: name, Needs: []string{}, NotTaken: []string{}, Refused: fmt.Sprintf("%s cannot be read as definitions of servers: %s", name, err),
		})}, false, nil
	}
	for _, one := range offers {
		offer := Offer{
			File: name, Name: one.Name, Needs: append([]string{}, one.Needs...), NotTaken: append([]string{}, one.NotTaken...),
		}
		if one.Definition.Kind != "" {
			offer.Runs = one.Definition.String()
		}
		if one.Refused != nil {
			offer.Refused = one.Refused.Error()
		}
		found = append(found, ofServer(name+"#"+shortName(one.Name), one.Text(), one.Written, offer))
	}
	return found, more, nil
}

// ofServer is a server with what is shown of it. Its hash is of what is written, so that another
// value of a variable, which is not shown, is another server.
func ofServer(name, text, written string, offer Offer) Suggestion {
	sum := sha256.Sum256([]byte(written))
	shown, cut := workspace.CutText([]byte(text), maxShown)
	visible, _ := workspace.HideSecrets(string(shown))
	return Suggestion{
		Kind: Server, Path: name, Text: visible, SHA256: hex.EncodeToString(sum[:]), Bytes: len(written), Cut: cut, Server: &offer,
	}
}

// shortName is a name that is not too long and still no other's.
func shortName(name string) string {
	if len(name) <= maxServerName {
		return name
	}
	const digits = 8
	sum := sha256.Sum256([]byte(name))
	return strings.ToValidUTF8(name[:maxServerName], "") + "…" + hex.EncodeToString(sum[:digits])
}

// readText reads a file as UTF-8, of which it returns at most one byte more than limit, and the
// file's size.
func readText(ctx context.Context, folder *workspace.Folder, name string, limit int64) (content []byte, size int64, err error) {
	if place, err := folder.Locate(name); err == nil && !place.Exists() { // as most folders have none
		return nil, 0, &message.Refusal{Code: message.NotFound, Message: "there is no " + message.Inline(name)}
	}
	file, err := folder.OpenFile(name)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	text, _, err := workspace.AsUTF8(message.Inline(name), file)
	if err != nil {
		return nil, 0, err
	}
	content, err = io.ReadAll(io.LimitReader(text, limit+1))
	return content, file.Size, errors.Join(err, ctx.Err())
}
