package supervisor

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fill gives every field in a structure a value that no other has.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]bool{"a": true, "b": false, fmt.Sprint(*n): true}))
	case reflect.String:
		v.SetString(fmt.Sprint("text\x00 ", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(int64(-*n))
	case reflect.Uint64:
		v.SetUint(uint64(*n) << 40)
	default:
		panic(v.Kind().String())
	}
}

func messages() map[string][2]Message {
	n := 0
	place, draft, spec, protection, report := &Place{}, &Draft{}, &Spec{}, &Protection{}, &Report{}
	fill(reflect.ValueOf(place).Elem(), &n)
	fill(reflect.ValueOf(draft).Elem(), &n)
	fill(reflect.ValueOf(spec).Elem(), &n)
	fill(reflect.ValueOf(protection).Elem(), &n)
	fill(reflect.ValueOf(report).Elem(), &n)
	return map[string][2]Message{
		"full place": {place, &Place{}}, "empty place": {&Place{}, &Place{}},
		"full draft": {draft, &Draft{}}, "full spec": {spec, &Spec{}}, "full report": {report, &Report{}},
		"full protection": {protection, &Protection{}},
		"empty spec":      {&Spec{}, &Spec{}}, "empty report": {&Report{}, &Report{}},
		"signal": {&Report{Ended: true, Code: -1, Signal: 9}, &Report{}},
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	for name, m := range messages() {
		var sent bytes.Buffer
		if err := Write(&sent, m[0]); err != nil {
			t.Fatal(err)
		}
		sent.WriteString("t")
		if err := Read(&sent, m[1]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(m[0], m[1]); diff != "" {
			t.Errorf("%s (-written +read):\n%s", name, diff)
		}
		if rest := sent.String(); rest != "t" {
			t.Errorf("%s: %q is left of what follows", name, rest)
		}
	}
}

func TestABrokenMessageIsRefused(t *testing.T) {
	for name, m := range messages() {
		var sent bytes.Buffer
		if err := Write(&sent, m[0]); err != nil {
			t.Fatal(err)
		}
		whole := sent.Bytes()
		for cut := range whole {
			if err := Read(bytes.NewReader(whole[:cut]), m[1]); err == nil {
				t.Errorf("%s: %d of %d bytes are taken", name, cut, len(whole))
			}
			shorter := bytes.Clone(whole[:max(cut, 4)])
			if len(shorter) == len(whole) {
				continue
			}
			shorter[0], shorter[1], shorter[2], shorter[3] = byte(len(shorter)-4), byte((len(shorter)-4)>>8), 0, 0
			if err := Read(bytes.NewReader(shorter), m[1]); err == nil {
				t.Errorf("%s: a message of %d of %d bytes is taken", name, len(shorter), len(whole))
			}
		}
		longer := append(bytes.Clone(whole), 0)
		longer[0]++
		if err := Read(bytes.NewReader(longer), m[1]); err == nil && longer[0] != 0 {
			t.Errorf("%s: a byte more is taken", name)
		}
	}
	if err := Read(strings.NewReader("\xff\xff\xff\xff"), &Spec{}); err == nil || err == io.ErrUnexpectedEOF {
		t.Errorf("a message of 4 GiB: %v", err)
	}
	if err := Write(io.Discard, &Spec{Line: strings.Repeat("x", mostBytes)}); err == nil {
		t.Error("a message that is too long is written")
	}
}
