//go:build supervisor

package document

import _ "embed" // for the program

// embedded is the program backend/tool/document/fairlead-documents, compressed by gzip.
//
//go:embed built/documents-arm64.gz
var embedded string
