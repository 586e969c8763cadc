package change

import (
	"context"
	"errors"
	"os"
	"slices"

	"fairlead/backend/leftover"
)

// maxLooked is how many entries a folder may have whose commands are compared.
const maxLooked = 200_000

// errTooMany says that a folder has more.
var errTooMany = errors.New("the folder has too many entries to be looked at before and after a command")

// seen are what lies in a folder at one moment, by their paths, the folder itself as ".". The
// sums of contents and the attributes are not looked at.
type seen map[leftover.Path]State

// lookAll looks at everything in a folder that is held open. What cannot be read, because
// this user may not or because it goes away meanwhile, is left out.
func lookAll(ctx context.Context, root *os.Root) (seen, error) {
	handle, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	info, err := handle.Stat()
	if err != nil {
		return nil, errors.Join(err, handle.Close())
	}
	all := seen{".": stateOf(info)}
	return all, lookIn(ctx, handle, "", all)
}

// lookIn looks at what is in a folder, which it closes.
func lookIn(ctx context.Context, handle *os.File, prefix string, all seen) error {
	defer func() { _ = handle.Close() }()
	if err := ctx.Err(); err != nil {
		return err
	}
	names, err := handle.Readdirnames(-1)
	if err != nil {
		return nil //nolint:nilerr // what cannot be read is left out
	}
	slices.Sort(names)
	for _, name := range names {
		state, err := stateIn(handle, name)
		if err != nil {
			continue
		}
		if len(all) == maxLooked {
			return errTooMany
		}
		local := prefix + name
		all[leftover.Path(local)] = state
		if state.Kind != Folder {
			continue
		}
		below, err := openFolderIn(handle, name)
		if err != nil {
			continue
		}
		if err := lookIn(ctx, below, local+"/", all); err != nil {
			return err
		}
	}
	return nil
}
