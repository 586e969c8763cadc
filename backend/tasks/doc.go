// Package tasks has tests alone: a scripted model works on tasks of every day, through
// everything below the entry points, and what the user is asked is counted. Linux alone has the
// copies that they are about, and the race detector sees nothing of their many processes.
package tasks
