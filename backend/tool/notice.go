package tool

import "strings"

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
