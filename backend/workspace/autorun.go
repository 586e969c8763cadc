package workspace

import (
	"context"

	"fairlead/backend/message"
	"fairlead/backend/workspace/autorun"
)

// UseGit has the settings of the user's git read by asking git (SEC-08). Without it
// they are read from their files.
func (f *Folder) UseGit(ask autorun.AskGit) { f.autorun.UseGit(ask) }

// Look looks at what other programs act on in the folder by themselves. What it has no
// time for, because ctx ends, it names as a gap.
func (f *Folder) Look(ctx context.Context) *autorun.Look { return f.autorun.Look(ctx) }

// RunsBy returns which programs act by themselves on the file that a local path leads
// to, judged by its name, by git's settings and by the links that lead to it.
func (f *Folder) RunsBy(ctx context.Context, local string) (autorun.Kind, bool) {
	return f.autorun.RunsBy(ctx, local)
}

// RunsByName is RunsBy for a path at which nothing lies yet, judged by its name alone.
func RunsByName(local string) (autorun.Kind, bool) { return autorun.Reason(local) }

// BeforeCommand looks at the folder before a command, and makes what has to exist so
// that it can be kept from it: pins are the paths to keep, as sandbox.Command has them.
// after, which is called once when the command has ended, takes that away again and
// returns what is new or changed, and what could not be looked at, as far as its
// context gives it time.
func (f *Folder) BeforeCommand(ctx context.Context) (pins []string, after func(context.Context) []message.Notice) {
	before := f.autorun.Look(ctx)
	if ctx.Err() != nil {
		return nil, func(context.Context) []message.Notice { return nil } // the command is cancelled
	}
	release := f.autorun.Hold(before)
	pins, left := before.Pins()
	return pins, func(ctx context.Context) []message.Notice {
		release()
		var notices []message.Notice
		for _, n := range append(f.autorun.Look(ctx).Since(before), left...) {
			notices = append(notices, NoticeOf(n))
		}
		return notices
	}
}

// HoldPins is BeforeCommand for a program that runs for long: it makes what has to exist so that it
// can be kept from it, which release takes away again, and looks at nothing afterwards.
func (f *Folder) HoldPins(ctx context.Context) (pins []string, release func()) {
	now := f.autorun.Look(ctx)
	release = f.autorun.Hold(now)
	pins, _ = now.Pins()
	return pins, release
}

// NoticeOf is a notice of package autorun as results have it.
func NoticeOf(n autorun.Notice) message.Notice {
	return message.Notice{Code: message.NoticeCode(n.Code), Data: message.NoticeData{
		Path: Shown(n.Path), Autorun: message.Autorun(n.Kind), Count: n.Count, Gap: message.NoticeGap(n.Gap),
	}}
}
