//go:build desktop || dev || bindings

package desktop

// library is the log of the window library. It writes the whole message of the
// page into its errors, arguments and all, and a key is one of them; so what it
// says is cut to its first words before it goes into the log.
type library struct{ window *Window }

// maxWords is how much of a message of the library is kept, in bytes: enough to
// say what failed, too little for what it failed with.
const maxWords = 60

// logWarning logs a message, if there is a log yet.
func (l *library) logWarning(message string) {
	if !l.window.isOpen() {
		return
	}
	l.window.log.Warn("window library", "message", cutText(string(l.window.redactKeys([]byte(message))), maxWords))
}

// Print implements logger.Logger.
func (l *library) Print(message string) { l.logWarning(message) }

// Trace implements logger.Logger.
func (l *library) Trace(string) {}

// Debug implements logger.Logger.
func (l *library) Debug(string) {}

// Info implements logger.Logger.
func (l *library) Info(string) {}

// Warning implements logger.Logger.
func (l *library) Warning(message string) { l.logWarning(message) }

// Error implements logger.Logger.
func (l *library) Error(message string) { l.logWarning(message) }

// Fatal implements logger.Logger.
func (l *library) Fatal(message string) { l.logWarning(message) }
