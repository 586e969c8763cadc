//go:build e2e && linux

package native

import (
	"strings"
	"testing"
	"time"
)

// contract is a PDF file with a sentence on its one page.
const contract = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>
endobj
4 0 obj
<< /Length 58 >>
stream
BT /F 12 Tf 20 100 Td (Payment is due on the 3rd.) Tj ET  
endstream
endobj
5 0 obj
<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>
endobj
trailer
<< /Root 1 0 R /Size 6 >>
%%EOF
`

// readerTime is how long the first PDF file may wait until its reader is made ready, which is done
// at low priority (firstTime in tool/file).
const readerTime = time.Minute

// TestDOC01_APDFFileIsReadInTheWindow has a model read and find a PDF file, by the program that is built into the
// window's.
func TestDOC01_APDFFileIsReadInTheWindow(t *testing.T) {
	p := newPlace(t, `
call c1 read_file {"path":"contract.pdf"}
---
call c2 search_files {"pattern":"Payment"}
---
text On the third.
`)
	p.write("contract.pdf", contract)
	w := p.open()
	w.ask("when is it due?")
	w.seek("find", query{Has: "On the third."}, readerTime+patience, nil)
	for request, want := range map[int]string{
		2: "[page 1 of 1]\nPayment is due on the 3rd.\n", 3: "contract.pdf (page 1 of 1):1: Payment is due on the 3rd.",
	} {
		if told := w.model.sent(request); !strings.Contains(told, want) {
			t.Errorf("the model is not told %q: %q", want, told)
		}
	}
	w.exitsWell()
}
