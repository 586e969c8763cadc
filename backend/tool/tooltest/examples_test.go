package tooltest_test

import (
	"testing"

	"fairlead/backend/tool/tooltest"
)

func TestTOOL06_TheExamplesConform(t *testing.T) {
	tooltest.Conform(t, tooltest.Examples(&tooltest.Notebook{})...)
}
