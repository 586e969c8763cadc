package main

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"fairlead/backend/desktop"
	"fairlead/backend/settings"
)

// bound are the methods that the page can call.
func bound(t *testing.T) map[string]reflect.Method {
	t.Helper()
	dir := t.TempDir()
	window := desktop.NewWindow("test", settings.Folders{Config: dir, Data: dir, State: dir})
	methods := map[string]reflect.Method{}
	for _, service := range append([]any{&App{window}}, window.Services()...) {
		of := reflect.TypeOf(service)
		for i := range of.NumMethod() {
			methods[of.Elem().Name()+"."+of.Method(i).Name] = of.Method(i)
		}
	}
	return methods
}

var errorType = reflect.TypeFor[error]()

// fault says why the page could not use a method; "" when it can.
func fault(method reflect.Type) string {
	if method.IsVariadic() {
		return "it is variadic: the call never comes back"
	}
	if method.NumOut() != 2 || method.Out(1) != errorType {
		return "it does not return a value and an error: other results are lost"
	}
	for i := 1; i < method.NumIn(); i++ { // 0 is the receiver
		if why := unfit(method.In(i), nil); why != "" {
			return why
		}
	}
	return unfit(method.Out(0), nil)
}

// unfit says why a type does not travel to the page or back.
func unfit(of reflect.Type, seen []reflect.Type) string {
	for _, before := range seen {
		if before == of {
			return ""
		}
	}
	seen = append(seen, of)
	switch {
	case of == reflect.TypeFor[time.Time]():
		return "time.Time becomes any: use milliseconds"
	case of.Implements(reflect.TypeFor[context.Context]()):
		return "a context counts as an argument of the page"
	case of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Uint8:
		return "bytes become a list of numbers in the types and a string on the way"
	}
	switch of.Kind() {
	case reflect.Interface:
		return "null for an interface never comes back"
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return of.String() + " is no JSON, and the program would end"
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return unfit(of.Elem(), seen)
	case reflect.Struct:
		for i := range of.NumField() {
			field := of.Field(i)
			if !field.IsExported() || field.Tag.Get("json") == "-" || field.Tag.Get("ts_type") != "" {
				continue
			}
			if field.Tag.Get("json") == "" {
				return of.String() + "." + field.Name + " has no name in JSON"
			}
			if why := unfit(field.Type, seen); why != "" {
				return of.String() + "." + field.Name + ": " + why
			}
		}
	}
	return ""
}

func TestBoundMethodsAreFitForThePage(t *testing.T) {
	for name, method := range bound(t) {
		if why := fault(method.Type); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
}

func TestTheCheckOfBoundMethodsNotices(t *testing.T) {
	type none struct{}
	type late struct {
		At time.Time `json:"at"`
	}
	type raw struct {
		Body []byte `json:"body"`
	}
	for want, method := range map[string]any{
		"context":     func(none, context.Context) (none, error) { return none{}, nil },
		"variadic":    func(none, ...string) (none, error) { return none{}, nil },
		"time.Time":   func(none, late) (none, error) { return none{}, nil },
		"bytes":       func(none) (raw, error) { return raw{}, nil },
		"value":       func(none) (none, none, error) { return none{}, none{}, nil },
		"and an err":  func(none) none { return none{} },
		"interface":   func(none, any) (none, error) { return none{}, nil },
		"no JSON":     func(none) (chan int, error) { return nil, nil },
		"has no name": func(none) (struct{ A string }, error) { return struct{ A string }{}, nil },
	} {
		if why := fault(reflect.TypeOf(method)); !strings.Contains(why, want) {
			t.Errorf("%s: got %q", want, why)
		}
	}
}

func TestTheAppHasTheMethodsOfItsContract(t *testing.T) {
	methods := bound(t)
	for _, name := range []string{"App.Run", "App.Cancel", "App.Confirm"} {
		if _, ok := methods[name]; !ok {
			t.Errorf("%s is not bound", name)
		}
	}
}
