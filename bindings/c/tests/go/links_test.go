package linkglot

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
)

func TestFind(t *testing.T) {
	found, err := Find("see r\u00e9sum\u00e9.com/\u00e9, ann@example.org", "")
	expected := []Link{
		{4, 19, "r\u00e9sum\u00e9.com/\u00e9", "https://xn--rsum-bpad.com/%C3%A9", "path"},
		{21, 36, "ann@example.org", "mailto:ann@example.org", "address"},
	}
	if err != nil || !reflect.DeepEqual(found, expected) {
		t.Fatal(found, err)
	}
}

func TestError(t *testing.T) {
	_, err := Find("", "all")
	if err == nil || !strings.HasPrefix(err.Error(), "detect: expected one of extended, uts58, scheme") {
		t.Fatal(err)
	}
}

func TestThreads(t *testing.T) {
	var group sync.WaitGroup
	for i := 0; i < 16; i++ {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			for j := 0; j < 50; j++ {
				link := fmt.Sprintf("http://example.org/%d/%d", i, j)
				found, err := Find("see "+link, "")
				if err != nil || len(found) != 1 || found[0].Text != link {
					t.Error(found, err)
				}
			}
		}(i)
	}
	group.Wait()
}
