//go:build !race

package desktop_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/message"
)

// photograph is a JPEG file, so wide.
func photograph(t *testing.T, width int) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, width, 20)), nil); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// paste sends a picture as the page does.
func (s *stage) paste(name string, content []byte) (desktop.Attached, desktop.Fault) {
	s.t.Helper()
	request := httptest.NewRequestWithContext(s.t.Context(), http.MethodPost, "/fairlead/pictures?name="+name, bytes.NewReader(content))
	answer := s.serve(request)
	var attached desktop.Attached
	var fault desktop.Fault
	to := any(&attached)
	if answer.Code != http.StatusOK {
		to = &fault
	}
	if err := json.Unmarshal(answer.Body.Bytes(), to); err != nil {
		s.t.Fatal(err)
	}
	return attached, fault
}

func TestDOC02_PicturesGoWithATask(t *testing.T) {
	s := open(t, "text white\n---\ntext One.\nhang\n---\ntext Two.\n---\ntext Three.\n", nil)
	s.ready()
	dropped := filepath.Join(t.TempDir(), "garden.jpg")
	if err := os.WriteFile(dropped, photograph(t, 3000), 0o600); err != nil {
		t.Fatal(err)
	}
	pasted, _ := s.paste("shot.png", photograph(t, 40))
	chosen, err := service[*desktop.Pictures](s).Add([]string{dropped, dropped})
	if err != nil || len(chosen) != 2 {
		t.Fatalf("%+v, %v", chosen, err)
	}
	s.screen.clip = photograph(t, 60)
	if clipped, err := service[*desktop.Pictures](s).Paste(); err != nil || len(clipped) != 1 || clipped[0].Name != "clipboard.png" {
		t.Fatalf("%+v, %v", clipped, err)
	}
	s.screen.clip = nil
	if clipped, err := service[*desktop.Pictures](s).Paste(); err != nil || len(clipped) != 0 {
		t.Fatalf("%+v, %v", clipped, err)
	}
	added, err := service[*desktop.Pictures](s).Add([]string{dropped})
	if err != nil || len(added) != 1 || added[0].Name != "garden.jpg" || pasted.Name != "shot.png" {
		t.Fatalf("%+v, %+v, %v", pasted, added, err)
	}
	if _, err := service[*desktop.Pictures](s).Remove(chosen[0].ID); err != nil {
		t.Fatal(err)
	}
	seen := s.get(added[0].Ref)
	if config, _, err := image.DecodeConfig(seen.Body); err != nil || config.Width != 1568 || seen.Header().Get("Content-Type") != "image/jpeg" {
		t.Errorf("shown as %s, %d pixels wide: %v", seen.Header().Get("Content-Type"), config.Width, err)
	}
	first, err := s.Run(desktop.Task{Prompt: "Look", Pictures: []string{pasted.ID, added[0].ID}})
	if err != nil {
		t.Fatal(err)
	}
	began := s.screen.await(t, "the start", ofType(event.TypeLifecycleStart))
	var start event.LifecycleStart
	if err := json.Unmarshal(began.Data, &start); err != nil || len(start.Blocks) != 2 || start.Blocks[1].Ref == "" {
		t.Fatalf("%s, %v", began.Data, err)
	}
	if answer := s.get(start.Blocks[1].Ref); answer.Body.Len() != added[0].Size {
		t.Errorf("the conversation shows %d bytes of %d", answer.Body.Len(), added[0].Size)
	}
	s.screen.await(t, "text", ofType(event.TypeAssistantDelta))

	// What waits keeps its pictures, which the page is told of without their bytes.
	queued, err := service[*desktop.Sessions](s).Queue(first.SessionID, "And this", "run", []string{chosen[1].ID})
	if err != nil {
		t.Fatal(err)
	}
	if queue := s.state().Queue; len(queue) != 1 || len(queue[0].Blocks) != 1 || queue[0].Blocks[0].Data != nil || queue[0].Blocks[0].Size == 0 {
		t.Errorf("%+v waits", queue)
	}
	if _, err := s.Cancel(first.RunID); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(first.RunID)
	if _, err := service[*desktop.Sessions](s).SendNow(first.SessionID, queued.PromptID); err != nil {
		t.Fatal(err)
	}
	next, _ := s.began(first.RunID)
	s.awaitEnd(next)
	var counts []int
	for _, request := range s.model.Requests() {
		counts = append(counts, len(request.Pictures()))
	}
	if diff := cmp.Diff([]int{1, 2, 3}, counts); diff != "" {
		t.Errorf("pictures sent: %s", diff)
	}
	// A task that is edited has its pictures again.
	forked, err := service[*desktop.Sessions](s).Fork(first.RunID, false)
	if err != nil || len(forked.Pictures) != 2 || forked.Pictures[1].Name != "garden.jpg" || s.get(forked.Pictures[1].Ref).Body.Len() != added[0].Size {
		t.Errorf("%+v, %v", forked, err)
	}
	// What was sent is not kept any more.
	if _, err := s.Run(desktop.Task{Prompt: "Again", SessionID: first.SessionID, Pictures: []string{pasted.ID}}); code(t, err) != desktop.Code(message.NotFound) {
		t.Errorf("sent twice: %v", err)
	}
}

func TestDOC02_WhatIsNoPictureIsSaid(t *testing.T) {
	s := open(t, "", nil)
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "b.heic"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"a.txt": "a.txt is no PNG, JPEG, GIF or WebP picture", "b.heic": "b.heic is in a format that cannot be read: save it as JPEG or PNG", ".": "it is no regular file", "gone.png": "gone.png",
	} {
		if _, err := service[*desktop.Pictures](s).Add([]string{filepath.Join(dir, name)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, fault := s.paste("x.png", []byte("text")); !strings.Contains(fault.Message, "x.png is no PNG") {
		t.Errorf("%+v", fault)
	}
	if answer := s.get("/fairlead/pictures/picture1"); answer.Code != http.StatusUnprocessableEntity {
		t.Errorf("a picture that is not there: %d", answer.Code)
	}
	// A page that forgets what it took does not fill the memory.
	var first string
	for i := range 41 {
		attached, _ := s.paste("p.jpg", photograph(t, 10+i))
		if i == 0 {
			first = attached.Ref
		}
		if answer := s.get(first); (answer.Code == http.StatusOK) != (i < 40) {
			t.Fatalf("after %d pictures the first gives %d", i+1, answer.Code)
		}
	}
}
