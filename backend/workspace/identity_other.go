//go:build !linux && !darwin

package workspace

func identityOf(string) string { return "" }
