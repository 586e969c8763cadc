// Package native tests the real window: the program with its page in the system's
// web engine, its native dialogs, the system's keyring, and files on the disk. A
// scripted model answers over HTTP on loopback; nothing else is put in place of
// the real thing. The window is driven as a user with a screen reader does it, by
// the names and roles that the page and the dialogs tell, and by the keyboard.
//
// The tests need a desktop and a program with a window:
//
//	go build -tags dev,webkit2_41 -o bin/fairlead-dev .
//	e2e/desktop.sh go test -tags e2e -count=1 ./e2e/native
//
// FAIRLEAD_WINDOW names another program to test. A test that fails leaves a picture
// of the screen and a list of all that is on it, and says where.
package native
