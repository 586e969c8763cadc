package remote

import "time"

// Bounds on what a server can make this program do.
const (
	// maxRedirects is how many redirects are followed.
	maxRedirects = 5
	// maxRetries is how often the SDK begins a broken stream again without progress.
	maxRetries = 2
	// maxBusy is how often a request is repeated that the server was too busy for.
	maxBusy = 2
	// maxHeader is the size of the largest header of an answer, bytes.
	maxHeader = 64 << 10
	// maxTokenAnswer is the size of the largest answer about tokens, bytes: one less than
	// the SDK reads, which takes the rest for the end.
	maxTokenAnswer = 1<<20 - 1
	// maxText is how much of a text of others is told, characters.
	maxText = 300
	// maxRecent is how many faults are kept to tell where an error of the SDK comes from.
	maxRecent = 8
	// maxSignIns is how often the user is asked to sign in as long as a Server lives.
	maxSignIns = 5
	// streamSpan is the time in which at most maxStreams streams are begun.
	streamSpan = time.Minute
	maxStreams = 10
)

// limits are the bounds that tests make smaller.
type limits struct {
	// maxEvent is the size of the largest event of a stream, and of the largest
	// answer that is no stream, bytes.
	maxEvent int64
	// maxStream is the size of the largest stream that answers one request, bytes.
	maxStream int64
	// streamWait is how long the server may take to begin the stream of its own
	// messages. Some send nothing before the first message.
	streamWait time.Duration
	// maxPause is the longest time that a busy server is waited for.
	maxPause time.Duration
	// tokenWait is how long one request for metadata, registration or tokens may take.
	tokenWait time.Duration
	// signInWait is how long the user may take in the browser.
	signInWait time.Duration
}

var usual = limits{
	maxEvent: 16 << 20, maxStream: 128 << 20, streamWait: 5 * time.Second,
	maxPause: 10 * time.Second, tokenWait: 30 * time.Second, signInWait: 5 * time.Minute,
}
