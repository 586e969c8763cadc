package message_test

import (
	"reflect"
	"testing"

	"fairlead/backend/message"
)

func TestEV10_DataOfSavedResultsAreRead(t *testing.T) {
	three := 3
	tests := map[string]message.ResultData{
		`{}`:                                            {},
		`{"exitCode":3,"network":true}`:                 {ExitCode: &three, Network: true},
		`{"processId":"p1","running":true}`:             {ProcessID: "p1", Running: true},
		`{"httpStatus":404,"lines":7}`:                  {HTTPStatus: 404, Lines: 7},
		`{"exitCode":3,"level":"full","network":false}`: {ExitCode: &three},
		`{"exitCode":-1,"signal":"SIGKILL","level":"none","network":true}`:                           {Signal: "SIGKILL", Network: true},
		`{"exitCode":-1,"signal":"SIGKILL","limit":"ended because it used 3 MiB","level":"limited"}`: {Signal: "SIGKILL"},
		`{"processId":"p1","status":"running","level":"full"}`:                                       {ProcessID: "p1", Running: true},
		`{"processId":"p1","status":"exited","exitCode":3,"level":"full"}`:                           {ProcessID: "p1", ExitCode: &three},
		`{"status":404,"contentType":"text/html","url":"https://a.test/","bytes":5}`:                 {HTTPStatus: 404, ContentType: "text/html", URL: "https://a.test/", Bytes: 5},
	}
	for text, want := range tests {
		result, err := parseOutput(`{"content":"x","data":` + text + `}`)
		if err != nil || !reflect.DeepEqual(*result.Data, want) {
			t.Errorf("%s\n is %+v, %v\n want %+v", text, result.Data, err, want)
		}
	}
}
