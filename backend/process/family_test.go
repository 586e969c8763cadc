package process

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCAN01_TheFamilyOfAShell(t *testing.T) {
	others := []listed{{1, 0, 1, 0}, {50, 1, 50, 5}, {51, 50, 50, 6}}
	for _, test := range []struct {
		name   string
		list   []listed
		before map[int]int64
		want   []int
	}{
		{"the shell alone", []listed{{100, 50, 100, 10}}, nil, []int{100}},
		{"children", []listed{{100, 50, 100, 10}, {101, 100, 100, 11}, {102, 101, 100, 12}}, nil, []int{100, 101, 102}},
		{"a session of its own", []listed{{100, 50, 100, 10}, {101, 100, 101, 11}, {102, 101, 102, 12}}, nil, []int{100, 101, 102}},
		{"listed before its parent", []listed{{102, 101, 102, 12}, {101, 100, 101, 11}, {100, 50, 100, 10}}, nil, []int{100, 101, 102}},
		{"an orphan of the group, with a child that left it", []listed{{101, 1, 100, 11}, {102, 101, 102, 12}}, nil, []int{101, 102}},
		{"an orphan in a session of its own is lost", []listed{{100, 50, 100, 10}, {101, 1, 101, 11}}, nil, []int{100}},
		{"but not where it was seen before", []listed{{101, 1, 101, 11}, {102, 101, 101, 12}}, map[int]int64{101: 11}, []int{101, 102}},
		{"another process by the number of one that was", []listed{{101, 1, 101, 99}}, map[int]int64{101: 11}, nil},
		{"nobody is left", nil, map[int]int64{100: 10, 101: 11}, nil},
		{"the first process is nobody's", nil, map[int]int64{1: 0}, nil},
		{"each is the other's parent", []listed{{100, 101, 100, 10}, {101, 100, 101, 11}}, nil, []int{100, 101}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []int
			for _, p := range findFamily(slices.Concat(others, test.list), 100, test.before) {
				got = append(got, p.pid)
			}
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
