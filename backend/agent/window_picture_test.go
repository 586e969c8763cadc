package agent

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

func picture(name string) message.Block {
	return message.Block{Type: message.ImageBlock, Name: name, MediaType: "image/png", Data: []byte(name)}
}

// shows is a prompt with pictures.
func shows(id string, names ...string) message.Message {
	m := said(id, "look")
	m.Role = message.User
	for _, name := range names {
		block := picture(name)
		m.Parts = append(m.Parts, message.Part{ID: id + name, Type: message.ImagePart, Block: &block})
	}
	return m
}

// answers is what the model says.
func answers(id string) message.Message {
	m := said(id, "Yes.")
	m.Role = message.Assistant
	return m
}

// reads is a round that reads pictures.
func reads(t *testing.T, id string, names ...string) message.Message {
	t.Helper()
	m := round(t, id, 1)
	for _, name := range names {
		output := m.Parts[0].Tool.State.Output
		output.Content = append(output.Content, picture(name))
	}
	return m
}

// shown are the names of the pictures that the model is shown of a history.
func shown(history []message.Message) string {
	var names []string
	for i := range history {
		for j := range history[i].Parts {
			for _, block := range history[i].Parts[j].Pictures() {
				names = append(names, block.Name)
			}
		}
	}
	return strings.Join(names, " ")
}

// names are those of so many pictures.
func names(prefix string, count int) (all []string) {
	for i := range count {
		all = append(all, fmt.Sprint(prefix, i))
	}
	return all
}

func TestDOC02_PicturesAreLeftOutTwoTurnsLater(t *testing.T) {
	m := meter(0, "")
	history := []message.Message{shows("1", names("a", 7)...), reads(t, "2", names("b", 7)...), answers("3")}
	whole := shown(history)
	for i, want := range []string{whole, whole, ""} {
		if i > 0 {
			history = append(history, shows(fmt.Sprint("p", i)), answers(fmt.Sprint("r", i)))
		}
		pruned, before, after := m.pruneOutputs(history)
		if got := shown(history); got != want {
			t.Errorf("in turn %d %q are shown, want %q", i+1, got, want)
		}
		if want == "" && (len(pruned) != 8 || before-after < 14*pictureTokens-500 || m.requestTokens(history) != after) {
			t.Errorf("%d parts pruned, %d tokens to %d, %d are counted", len(pruned), before, after, m.requestTokens(history))
		}
	}
	if got := history[0].Parts[1].Said(); got != "[image: a0, shown before]" {
		t.Errorf("in its place stands %q", got)
	}
	if got := history[1].Parts[0].Tool.Seen(); !strings.HasSuffix(got, "[image: b6, shown before]") {
		t.Errorf("of the result is left %q", got)
	}
}

// A few pictures are not worth what it costs to change what the provider has cached.
func TestDOC02_PicturesWaitForABatch(t *testing.T) {
	m := meter(0, "")
	history := []message.Message{shows("1", "a"), shows("2"), shows("3"), shows("4"), answers("5")}
	if pruned, _, _ := m.pruneOutputs(history); len(pruned) != 0 {
		t.Error("one picture was pruned by itself")
	}
	history = append(history, round(t, "6", 30_000), round(t, "7", 45_000))
	pruned, _, _ := m.pruneOutputs(history)
	if len(pruned) != 2 || shown(history) != "" {
		t.Errorf("%d parts were pruned, and %q are shown", len(pruned), shown(history))
	}
}

// In one turn pictures go as outputs do.
func TestDOC02_PicturesOfALongTurnGoWithTheirOutputs(t *testing.T) {
	m := meter(0, "")
	history := []message.Message{shows("1", "first")}
	most := 0
	for i := range 100 {
		history = append(history, reads(t, fmt.Sprint("r", i), fmt.Sprint("b", i)))
		m.pruneOutputs(history)
		most = max(most, len(strings.Fields(shown(history))))
	}
	if most > (protectedTokens+batchTokens)/pictureTokens+2 {
		t.Errorf("%d pictures were shown at once", most)
	}
	if got := shown(history); !strings.HasPrefix(got, "first ") || !strings.HasSuffix(got, " b99") {
		t.Errorf("%s are shown", got)
	}
}

func TestDOC02_BytesAreReadForWhatIsShownAlone(t *testing.T) {
	history := []message.Message{shows("1", "a", "lost"), reads(t, "2", "b"), reads(t, "3", "c")}
	history[2].Parts[0].Tool.State.Pruned = true
	Shed(history)
	data := map[string][]byte{}
	for _, name := range []string{"a", "b", "c"} {
		data[message.Sum([]byte(name))] = []byte(name)
	}
	var read []string
	parts := NewParts(count, nil, func(sum string) ([]byte, error) {
		read = append(read, string(data[sum]))
		return data[sum], nil
	})
	for range 2 { // the second time they are there, but for the lost one
		if _, err := parts.readShown(history); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"a", "", "b", ""}, read); diff != "" {
		t.Error(diff)
	}
	if got := string(history[0].Parts[1].Block.Data) + string(history[1].Parts[0].Tool.State.Output.Content[1].Data); got != "ab" {
		t.Errorf("the history has %q", got)
	}
	Shed(history)
	if history[0].Parts[1].Block.Data != nil {
		t.Error("it keeps them")
	}
	broken := errors.New("broken")
	parts = NewParts(count, nil, func(string) ([]byte, error) { return nil, broken })
	if _, err := parts.readShown(history); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
