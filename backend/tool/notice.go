package tool

import (
	"fmt"
	"strings"
)

// WithNotices adds notices to the content of a result, in a form that a model
// does not take for content.
func WithNotices(content string, notices ...string) string {
	if len(notices) == 0 {
		return content
	}
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	return content + "[notice: " + strings.Join(notices, "; ") + "]"
}

// HiddenSecrets is the notice of a text in which secret values were replaced by marks
// (SPEC SEC-10).
func HiddenSecrets(count int) string {
	return fmt.Sprintf("%d secret values hidden: marks stand for them, the files still have them", count)
}
