package wire

import (
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// inWords finds a wait in an error's text: Gemini's retryDelay and the sentences
// of OpenAI, Groq and Gemini.
var inWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:retryDelay"\s*:\s*"|retry in |try again in )((?:[0-9.]+(?:ms|h|m|s))+)`)
})

// reset finds OpenRouter's moment, in milliseconds since 1970, where an error repeats
// the header in its text.
var reset = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)"x-ratelimit-reset"\s*:\s*"?(\d{13})\b`)
})

// resets finds the seconds until, and since 1970 at, which a plan's limit is reset: OpenAI.
var resets = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)"resets_(in_seconds|at)"\s*:\s*(\d{1,10})\b`)
})

// farthest bounds how long a moment to wait for can be away.
const farthest = 48 * time.Hour

// farthestReset bounds it where the limit is that of a plan.
const farthestReset = 31 * 24 * time.Hour

// wait is how long a provider asks to wait: the first that is positive of
// retry-after-ms, Retry-After (seconds or a date), the text, the reset of a plan, and the
// moment in X-RateLimit-Reset; 0 for none.
func wait(header http.Header, body []byte) time.Duration {
	if d := scaleUnits(header.Get("Retry-After-Ms"), time.Millisecond); d > 0 {
		return d
	}
	after := header.Get("Retry-After")
	if d := scaleUnits(after, time.Second); d > 0 {
		return d
	}
	if at, err := http.ParseTime(after); err == nil {
		if d := at.Sub(sentTime(header)); d > 0 {
			return d
		}
	}
	if found := inWords().FindSubmatch(body); found != nil {
		if d, err := time.ParseDuration(string(found[1])); err == nil && d > 0 {
			return d
		}
	}
	if found := resets().FindSubmatch(body); found != nil {
		return untilReset(string(found[1]), string(found[2]), sentTime(header))
	}
	moment := header.Get("X-Ratelimit-Reset")
	if found := reset().FindSubmatch(body); moment == "" && found != nil {
		moment = string(found[1])
	}
	return untilMoment(moment, sentTime(header))
}

// sentTime is when an answer was sent, by the provider's own clock if the answer tells.
// What it says of moments is meant by that clock (RFC 9110, section 6.6.1).
func sentTime(header http.Header) time.Time {
	if at, err := http.ParseTime(header.Get("Date")); err == nil {
		return at
	}
	return time.Now()
}

// untilMoment is the time from then to a moment in milliseconds since 1970; 0 for one that is
// past or none.
func untilMoment(moment string, then time.Time) time.Duration {
	milliseconds, err := strconv.ParseInt(moment, 10, 64)
	if err != nil {
		return 0
	}
	if d := time.UnixMilli(milliseconds).Sub(then); d > 0 && d <= farthest {
		return d
	}
	return 0
}

// untilReset is the time from then until a plan's limit is reset; 0 for one that is past.
func untilReset(kind, seconds string, then time.Time) time.Duration {
	d := scaleUnits(seconds, time.Second)
	if strings.EqualFold(kind, "at") {
		d -= time.Duration(then.UnixNano())
	}
	if d > 0 && d <= farthestReset {
		return d
	}
	return 0
}

// scaleUnits reads a number of units; what is no positive number is 0.
func scaleUnits(value string, unit time.Duration) time.Duration {
	number, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(number > 0) {
		return 0
	}
	d := number * float64(unit)
	if d >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(d)
}
