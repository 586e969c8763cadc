package workspace

// quickly leaves all files to Open.
func (*Opener) quickly(string, int64) (content []byte, ok bool) { return nil, false }
