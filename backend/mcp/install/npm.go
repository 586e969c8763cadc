package install

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairlead/backend/process"
)

const (
	manifestFile = "package.json"
	lockFile     = "package-lock.json"
)

// Resolve asks the registry, by the package manager itself, what a request means today. It uses
// the network; what is fetched are descriptions of packages, of which nothing runs.
func (i *Installer) Resolve(ctx context.Context, request Request) (Offer, error) {
	if len(request.Packages) == 0 {
		return Offer{}, errors.New("the request names no package")
	}
	if request.Ecosystem != NPM {
		return Offer{}, refuse("packages of Python cannot be installed this way yet: install %s yourself, such as with uv tool install %s, and write the path of its program as the command", request.Packages[0], request.Packages[0].Name)
	}
	registry, err := i.registryFor(ctx, request.Packages)
	if err != nil {
		return Offer{}, err
	}
	npm, err := i.findNPM(registry)
	if err != nil {
		return Offer{}, err
	}
	if err := os.MkdirAll(i.options.Dir, 0o700); err != nil {
		return Offer{}, fmt.Errorf("make the folder of installed servers: %w", err)
	}
	stage, err := i.newStage()
	if err != nil {
		return Offer{}, err
	}
	defer stage.remove()
	offer := Offer{Request: request, Registry: registry}
	exact := slices.Clone(request.Packages)
	for n := range exact {
		version, size, err := npm.lookUp(ctx, stage, exact[n])
		if err != nil {
			return Offer{}, err
		}
		exact[n].Version = cmp.Or(version, exact[n].Version)
		if n == 0 {
			offer.Bytes = size
		}
	}
	if err := npm.lock(ctx, stage, &offer, exact); err != nil {
		return Offer{}, err
	}
	if !slices.Equal(offer.Packages, exact) {
		// Once more with the exact versions: a range may mean something else in a minute.
		if err := npm.lock(ctx, stage, &offer, offer.Packages); err != nil {
			return Offer{}, err
		}
	}
	return offer, nil
}

// npmCommand is how npm is run.
type npmCommand struct {
	run      Runner
	path     string
	registry string
	// time bounds each command.
	time time.Duration
}

// findNPM finds npm, which is to use a registry.
func (i *Installer) findNPM(registry string) (npmCommand, error) {
	path, found := process.Find("npm", i.options.Outside...)
	if !found {
		return npmCommand{}, fmt.Errorf("npm was not found in PATH (PATH is %s): install Node.js with npm, and restart Fairlead", process.SearchPath(i.options.Outside...))
	}
	return npmCommand{run: i.options.Run, path: path, registry: registry, time: i.time}, nil
}

// command is a command line of npm. The user's settings are not read, because tokens are in
// them: all that matters is said here, also against settings of the system. An npm that does
// not know one of these options ignores it.
func (n npmCommand) command(stage *stage, network bool, arguments ...string) Command {
	return Command{
		Argv: slices.Concat([]string{n.path}, arguments, []string{
			"--registry=" + n.registry, "--userconfig=" + filepath.Join(stage.dir, "npmrc"), "--cache=" + filepath.Join(stage.dir, "cache"),
			"--logs-max=0", "--update-notifier=false", "--no-audit", "--no-fund", "--omit=dev", "--workspaces=false", "--global=false",
			"--omit-lockfile-registry-resolved=false", "--replace-registry-host=never", "--lockfile-version=3", "--package-lock=true", "--install-strategy=hoisted",
			"--allow-git=none", "--allow-remote=none", "--allow-file=none", "--allow-directory=none", "--engine-strict=false",
			// npm tries again where a hash is wrong, too, and waits more than a minute for that.
			"--fetch-retries=2", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000",
		}),
		Dir: stage.folder(), Write: stage.dir, Network: network,
	}
}

// lock has npm find out the exact versions of all packages, and reads them.
func (n npmCommand) lock(ctx context.Context, stage *stage, offer *Offer, packages []Package) error {
	manifest, err := manifestOf(packages)
	if err != nil {
		return err
	}
	if err := stage.write(manifestFile, manifest); err != nil {
		return err
	}
	what := "find out what " + packages[0].String() + " is"
	if _, err := n.do(ctx, what, n.command(stage, true, "install", "--package-lock-only", "--ignore-scripts")); err != nil {
		return err
	}
	// npm writes both.
	if offer.Manifest, err = readBounded(filepath.Join(stage.folder(), manifestFile), mostLock); err != nil {
		return err
	}
	if offer.Lock, err = readBounded(filepath.Join(stage.folder(), lockFile), mostLock); err != nil {
		return err
	}
	return offer.readLock()
}

// lookUp asks which version of a package is meant, and its size when unpacked, in bytes, where
// the registry says that. The version is empty for a range that several have.
func (n npmCommand) lookUp(ctx context.Context, stage *stage, p Package) (version string, size int64, err error) {
	if err := stage.write(manifestFile, []byte("{}")); err != nil {
		return "", 0, err
	}
	output, err := n.do(ctx, "look up "+p.String(), n.command(stage, true, "view", p.String(), "version", "dist.unpackedSize", "--json", "--loglevel=error"))
	var found struct {
		Version string `json:"version"`
		Size    int64  `json:"dist.unpackedSize"`
	}
	// It is a list for several, and a text alone where there is no size.
	if json.Unmarshal([]byte(output), &found) != nil {
		_ = json.Unmarshal([]byte(output), &found.Version)
	}
	return found.Version, max(0, found.Size), err
}

// fetchLocked has npm fetch what is in the lock file.
func (n npmCommand) fetchLocked(ctx context.Context, stage *stage, offer Offer) error {
	_, err := n.do(ctx, "install "+offer.Main().String(), n.command(stage, true, "ci", "--ignore-scripts"))
	return err
}

// runScripts has npm run the install scripts of those packages that the offer lists, and of no
// others.
func (n npmCommand) runScripts(ctx context.Context, stage *stage, offer Offer) error {
	arguments := append([]string{"rebuild"}, offer.Scripts...)
	what := "run the install scripts of " + strings.Join(offer.Scripts, ", ")
	_, err := n.do(ctx, what, n.command(stage, true, append(arguments, "--foreground-scripts", "--dangerously-allow-all-scripts")...))
	return err
}

// do runs a command of npm within its bounds, and says what went wrong in one sentence.
func (n npmCommand) do(ctx context.Context, what string, c Command) (string, error) {
	timed, stop := context.WithTimeout(ctx, n.time)
	defer stop()
	bounded, end := context.WithCancelCause(timed)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		watchSize(bounded, c.Write, end)
	}()
	output, err := n.run(bounded, c)
	end(nil)
	<-watched
	switch cause := context.Cause(bounded); {
	case err == nil:
		return output, nil
	case errors.Is(cause, errTooMuch):
		return "", fmt.Errorf("%s: npm was ended, because %w; nothing was installed", what, cause)
	case ctx.Err() == nil && timed.Err() != nil:
		return "", fmt.Errorf("%s: npm had no answer from %s within %s and was ended; look whether that registry can be reached, and try again", what, n.registry, n.time)
	}
	return "", fmt.Errorf("%s: %w", what, explainNPM(output, n.registry, err))
}

// registryFor returns the address of the registry that npm is set to use, without
// credentials. npm itself reads its settings, and so outside of what confines installs.
func (i *Installer) registryFor(ctx context.Context, packages []Package) (string, error) {
	npm, err := i.findNPM("")
	if err != nil {
		return "", err
	}
	ctx, stop := context.WithTimeout(ctx, npm.time)
	defer stop()
	settings, err := process.Capture(ctx, npm.path, process.Environment(), "config", "list", "--long")
	if err != nil {
		return "", fmt.Errorf("ask npm for its registry with npm config list: %w", err)
	}
	found := parseSettings(string(settings))
	for _, p := range packages {
		scope, _, scoped := strings.Cut(p.Name, "/")
		if address, set := found[scope+":registry"]; scoped && set && address != found["registry"] {
			return "", fmt.Errorf("npm takes packages of %s from a registry of their own, which an install cannot use: install %s yourself, and write the path of its program as the command", scope, p)
		}
	}
	return checkRegistry(found)
}

// parseSettings reads what npm config list prints: lines of KEY = VALUE, which begin with a
// semicolon where another setting overrides them. A value is JSON, or (protected).
func parseSettings(text string) map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, is := strings.Cut(strings.TrimSpace(line), " = ")
		if !is || strings.HasPrefix(key, ";") {
			continue
		}
		if json.Unmarshal([]byte(value), &value) != nil {
			value = strings.TrimSpace(value)
		}
		found[key] = value
	}
	return found
}

// publicRegistry is the one that npm uses if it is not told otherwise. Many have a token for
// it, to publish; who installs from it needs none.
const publicRegistry = "registry.npmjs.org"

// checkRegistry returns the address of the registry in npm's settings, if an install can use
// it: one that needs no credentials.
func checkRegistry(settings map[string]string) (string, error) {
	const instead = "install the server yourself, and write the path of its program as the command"
	address, err := url.Parse(settings["registry"])
	if err != nil || address.Host == "" || strings.Contains(settings["registry"], "***") || address.User != nil {
		return "", errors.New("the address of npm's registry has credentials in it or cannot be read (npm config list shows it), and an install is given no credentials: " + instead)
	}
	if address.Scheme != "https" && !isLoopback(address.Hostname()) {
		return "", fmt.Errorf("npm's registry %s is not reached over https, so that what it says could come from others: set one that is, or "+instead, address.Redacted())
	}
	for key := range settings {
		if host, _, is := strings.Cut(strings.TrimPrefix(key, "//"), "/"); is && strings.HasPrefix(key, "//") && host == address.Host && host != publicRegistry && isCredential(key) {
			return "", fmt.Errorf("npm has credentials for its registry %s, and an install is given none: "+instead, address.Redacted())
		}
	}
	return address.String(), nil
}

// isCredential reports whether a setting for a host is one that proves who asks.
func isCredential(key string) bool {
	name := key[strings.LastIndexByte(key, ':')+1:]
	return slices.Contains([]string{"_auth", "_authToken", "_password", "username", "certfile", "keyfile", "token"}, name)
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && address.IsLoopback())
}

// explainNPM says in one sentence what npm complained about.
func explainNPM(output, registry string, err error) error {
	code, detail := "", ""
	for line := range strings.Lines(output) {
		rest, is := strings.CutPrefix(strings.TrimSpace(line), "npm error ")
		if !is {
			rest, is = strings.CutPrefix(strings.TrimSpace(line), "npm ERR! ")
		}
		if value, isCode := strings.CutPrefix(rest, "code "); is && isCode && code == "" {
			code = value
		} else if is && detail == "" && !strings.HasPrefix(rest, "errno") && !strings.HasPrefix(rest, "syscall") {
			detail = strings.TrimSpace(rest)
		}
	}
	host := registry
	if address, parsed := url.Parse(registry); parsed == nil {
		host = cmp.Or(address.Host, registry)
	}
	switch code {
	case "":
		if text := strings.TrimSpace(output); text != "" {
			return fmt.Errorf("%w: %s", err, shown(text[max(0, len(text)-mostName):]))
		}
		return err
	case "EINTEGRITY":
		return fmt.Errorf("what %s sent has another hash than the one that was shown, so nothing was installed: ask for the offer again, and compare (%s)", host, shown(detail))
	case "E404", "ETARGET", "ENOVERSIONS":
		return fmt.Errorf("%s has no such package or version: look at the name and version (npm says %s)", host, shown(detail))
	case "E401", "E403":
		return fmt.Errorf("%s wants credentials, and an install is given none: install the server yourself, and write the path of its program as the command (npm says %s)", host, shown(detail))
	}
	if strings.HasPrefix(code, "EALLOW") {
		return fmt.Errorf("one of its packages comes from git, an address or a folder and not from a registry, which cannot be pinned: install the server yourself, and write the path of its program as the command (npm says %s)", shown(detail))
	}
	return fmt.Errorf("npm failed with %s at %s: %s (%w)", shown(code), host, shown(detail), err)
}
