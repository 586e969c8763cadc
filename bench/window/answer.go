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

// answer is a long answer as models write them about code: headings, paragraphs in
// English and Chinese, nested lists, tables and code. It is always the same one.
func answer() string {
	w := writer{random: rand.New(rand.NewPCG(20, 200))}
	for section := 1; w.runes() < answerRunes; section++ {
		w.section(section)
	}
	w.line(answerEnd)
	return w.text.String()
}

// deltas cuts a text into pieces of a token's length, a few characters each.
func deltas(text string) []string {
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

func (w *writer) runes() int { return w.length }

func (w *writer) line(format string, values ...any) {
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

func pick(random *rand.Rand, words []string) string { return words[random.IntN(len(words))] }

func (w *writer) noun() string { return pick(w.random, nouns) }

func (w *writer) sentence() string {
	return fmt.Sprintf("The %s %s the %s, %s.", w.noun(), pick(w.random, verbs), w.noun(), pick(w.random, reasons))
}

// section writes one of the sixteen parts.
func (w *writer) section(number int) {
	w.line("## %d. What the %s does\n", number, w.noun())
	for range 4 {
		w.line("%s %s %s\n", w.sentence(), w.sentence(), w.sentence())
	}
	w.line("%s%s%s\n", pick(w.random, chinese), pick(w.random, chinese), pick(w.random, chinese))
	for item := range 4 {
		w.line("- **Part %d**: %s", item+1, w.sentence())
		w.line("  - %s", w.sentence())
		w.line("  - %s", pick(w.random, chinese))
	}
	w.line("")
	if number%2 == 0 {
		w.table()
	}
	w.code(languages[number%len(languages)])
	w.line("> %s\n", w.sentence())
	for step := range 6 {
		w.line("%d. %s", step+1, w.sentence())
	}
	w.line("")
}

func (w *writer) table() {
	w.line("| Step | What | 说明 | ms |\n|---|---|---|---:|")
	for step := range 10 {
		w.line("| %d | the %s %s | %s | %d |", step+1, w.noun(), pick(w.random, verbs), pick(w.random, chinese), w.random.IntN(900))
	}
	w.line("")
}

// code writes some forty lines of a language.
func (w *writer) code(language string) {
	w.line("```%s", language)
	lines := map[string]func(int){
		"typescript": func(n int) {
			w.line("export function %s%d(value: string, limit = %d): number {\n  // %s\n  return value.length > limit ? limit : 0\n}",
				w.noun(), n, w.random.IntN(900), w.sentence())
		},
		"go": func(n int) {
			w.line("func %s%d(value string) (int, error) {\n\tif value == \"\" { // %s\n\t\treturn %d, errors.New(\"no %s\")\n\t}\n\treturn len(value), nil\n}",
				w.noun(), n, w.sentence(), w.random.IntN(900), w.noun())
		},
		"python": func(n int) {
			w.line("def %s_%d(value, limit=%d):\n    \"\"\"%s\"\"\"\n    return min(len(value), limit)\n",
				w.noun(), n, w.random.IntN(900), w.sentence())
		},
		"bash": func(n int) {
			w.line("# %s\nfor file in *.%s; do\n  grep -c '%s' \"$file\" || exit %d\ndone", w.sentence(), w.noun(), w.noun(), n)
		},
		"json": func(n int) {
			w.line("{\"%s%d\": {\"limit\": %d, \"text\": %q, \"on\": true}}", w.noun(), n, w.random.IntN(900), w.sentence())
		},
	}
	for n := range 9 {
		lines[language](n)
	}
	w.line("```\n")
}
