// Package secrettest gives tests a login with the system's real keyring, on Linux.
package secrettest
