//go:build unix

package shell_test

import (
	"io"
	"strings"
	"testing"
)

// TestTOOL04_AProgressBarReachesTheModelAsOneLine runs bars as pip, curl and wget draw
// them, one of them between lines that are too long for the model.
func TestTOOL04_AProgressBarReachesTheModelAsOneLine(t *testing.T) {
	b := open(t, nil)
	const bar = `i=0; while [ $i -lt 3000 ]; do i=$((i+1)); printf '\r\033[2K%s of 3000' $i; done; echo; echo done`
	result := b.run(t, "shell", command(t, bar))
	if result.Content.Text() != "3000 of 3000\ndone\n" || result.Truncated {
		t.Errorf("%d characters: %.200q", len(result.Content.Text()), result.Content.Text())
	}
	result = b.run(t, "shell", command(t, `head -c 40000 /dev/zero | tr '\0' x; echo; `+bar))
	file, err := b.Outputs.OpenFile("output:call-1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	kept, err := io.ReadAll(file)
	if err != nil || string(kept) != strings.Repeat("x", 40000)+"\n3000 of 3000\ndone\n" || !strings.HasSuffix(result.Content.Text(), "\n3000 of 3000\ndone\n") {
		t.Errorf("%d bytes are kept, %v; %d characters end in %q", len(kept), err, len(result.Content.Text()), result.Content.Text()[max(0, len(result.Content.Text())-50):])
	}
}
