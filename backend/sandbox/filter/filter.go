// Package filter makes filters of system calls (seccomp(2)) from cases: what happens to a call by
// its number, or by its arguments.
package filter
