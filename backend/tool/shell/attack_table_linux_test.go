package shell_test

import "slices"

// attacks is the table, built anew for each use.
func attacks() []attack {
	return slices.Concat(
		fileAttacks(), folderAttacks(), homeAttacks(), temporaryAttacks(), deviceAttacks(),
		secretAttacks(), neighbourAttacks(), parentAttacks(), keyringAttacks(),
		processAttacks(), socketAttacks(), networkAttacks(),
		gitAttacks(), kernelAttacks(), namespaceAttacks(),
	)
}
