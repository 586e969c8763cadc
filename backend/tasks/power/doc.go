// Package power has tests alone: the power of a disk is cut while Fairlead works on it. Root has to
// start them, to mount the disk; what they start runs as an ordinary user.
package power
