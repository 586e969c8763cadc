package document_test

import (
	"os"
	"testing"

	"fairlead/backend/tool/document"
	"fairlead/backend/tool/document/exchange"
	"fairlead/backend/tool/document/extract"
)

// TestMain makes this program the one that reads documents where it is started as that.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == exchange.Verb {
		os.Exit(extract.Main(os.Args[2:]))
	}
	document.UseOwnProgram()
	os.Exit(m.Run())
}
