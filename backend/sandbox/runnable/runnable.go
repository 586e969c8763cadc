// Package runnable opens programs to be run: one of the system's files, or one that is built into
// this program and lies in memory only.
package runnable
