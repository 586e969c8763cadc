package window

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

const (
	// answerRunes is the length of the long answer in characters, about 20,000
	// tokens.
	answerRunes = 82_000
	// answerEnd is its last paragraph.
	answerEnd = "That is the whole report."
)

// longAnswer is a long answer as models write them about code: headings, paragraphs in
// English and Chinese, nested lists, tables and code. It is always the same one.
func longAnswer() string {
	w := writer{random: rand.New(rand.NewPCG(20, 200))}
	for section := 1; w.countRunes() < answerRunes; section++ {
		w.writeSection(section)
	}
	w.writeLine(answerEnd)
	return w.text.String()
}

// splitDeltas cuts a text into pieces of a token's length, a few characters each.
func splitDeltas(text string) []string {
	random := rand.New(rand.NewPCG(1, 5))
	var pieces []string
	for len(text) > 0 {
		end := 0
		for range 2 + random.IntN(4) + random.IntN(2) {
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
		}
		pieces = append(pieces, text[:end])
		text = text[end:]
	}
	return pieces
}

// writer writes the answer.
type writer struct {
	random *rand.Rand
	text   strings.Builder
	// length is that of the text in characters.
	length int
}

func (w *writer) countRunes() int { return w.length }

func (w *writer) writeLine(format string, values ...any) {
	line := fmt.Sprintf(format, values...) + "\n"
	w.length += utf8.RuneCountInString(line)
	w.text.WriteString(line)
}

var (
	nouns   = []string{"parser", "request", "buffer", "session", "folder", "stream", "queue", "test", "error", "answer"}
	verbs   = []string{"reads", "checks", "closes", "rewrites", "limits", "repeats", "returns", "counts"}
	reasons = []string{
		"because the other end may be gone by then", "which keeps the order of what came before",
		"so that nothing is lost when it stops", "and that is what the failing case shows",
		"unless the **limit** was reached first", "as `config.toml` says in its second part",
	}
	chinese = []string{
		"这个函数先读取整个文件，然后逐行检查。", "如果请求失败，程序会等待片刻再试一次。", "测试表明，问题出在缓冲区的长度上。",
		"修改之后，所有的用例都通过了。", "请注意，`limit` 的默认值是一百。", "下面的表格列出了每一步所用的时间。",
	}
	languages = []string{"typescript", "go", "python", "bash", "json"}
)

func pickWord(random *rand.Rand, words []string) string { return words[random.IntN(len(words))] }

func (w *writer) pickNoun() string { return pickWord(w.random, nouns) }

func (w *writer) newSentence() string {
	return fmt.Sprintf("The %s %s the %s, %s.", w.pickNoun(), pickWord(w.random, verbs), w.pickNoun(), pickWord(w.random, reasons))
}

// writeSection writes one of the sixteen parts.
func (w *writer) writeSection(number int) {
	w.writeLine("## %d. What the %s does\n", number, w.pickNoun())
	for range 4 {
		w.writeLine("%s %s %s\n", w.newSentence(), w.newSentence(), w.newSentence())
	}
	w.writeLine("%s%s%s\n", pickWord(w.random, chinese), pickWord(w.random, chinese), pickWord(w.random, chinese))
	for item := range 4 {
		w.writeLine("- **Part %d**: %s", item+1, w.newSentence())
		w.writeLine("  - %s", w.newSentence())
		w.writeLine("  - %s", pickWord(w.random, chinese))
	}
	w.writeLine("")
	if number%2 == 0 {
		w.writeTable()
	}
	w.writeCode(languages[number%len(languages)])
	w.writeLine("> %s\n", w.newSentence())
	for step := range 6 {
		w.writeLine("%d. %s", step+1, w.newSentence())
	}
	w.writeLine("")
}

func (w *writer) writeTable() {
	w.writeLine("| Step | What | 说明 | ms |\n|---|---|---|---:|")
	for step := range 10 {
		w.writeLine("| %d | the %s %s | %s | %d |", step+1, w.pickNoun(), pickWord(w.random, verbs), pickWord(w.random, chinese), w.random.IntN(900))
	}
	w.writeLine("")
}

// writeCode writes some forty lines of a language.
func (w *writer) writeCode(language string) {
	w.writeLine("```%s", language)
	lines := map[string]func(int){
		"typescript": func(n int) {
			w.writeLine("export function %s%d(value: string, limit = %d): number {\n  // %s\n  return value.length > limit ? limit : 0\n}",
				w.pickNoun(), n, w.random.IntN(900), w.newSentence())
		},
		"go": func(n int) {
			w.writeLine("func %s%d(value string) (int, error) {\n\tif value == \"\" { // %s\n\t\treturn %d, errors.New(\"no %s\")\n\t}\n\treturn len(value), nil\n}",
				w.pickNoun(), n, w.newSentence(), w.random.IntN(900), w.pickNoun())
		},
		"python": func(n int) {
			w.writeLine("def %s_%d(value, limit=%d):\n    \"\"\"%s\"\"\"\n    return min(len(value), limit)\n",
				w.pickNoun(), n, w.random.IntN(900), w.newSentence())
		},
		"bash": func(n int) {
			w.writeLine("# %s\nfor file in *.%s; do\n  grep -c '%s' \"$file\" || exit %d\ndone", w.newSentence(), w.pickNoun(), w.pickNoun(), n)
		},
		"json": func(n int) {
			w.writeLine("{\"%s%d\": {\"limit\": %d, \"text\": %q, \"on\": true}}", w.pickNoun(), n, w.random.IntN(900), w.newSentence())
		},
	}
	for n := range 9 {
		lines[language](n)
	}
	w.writeLine("```\n")
}
