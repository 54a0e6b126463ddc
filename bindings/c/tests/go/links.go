// Package linkglot calls linkglot from Go, as a small wrapper would.
package linkglot

/*
#cgo pkg-config: linkglot
#include <linkglot.h>
#include <stdlib.h>
*/
import "C"

import (
	"errors"
	"unsafe"
)

// Link is a link of a text; Start and End count its bytes.
type Link struct {
	Start, End           int
	Text, URI, Evidence string
}

// Find returns the links of a text.
func Find(text string, detect string) ([]Link, error) {
	data := C.CString(text)
	defer C.free(unsafe.Pointer(data))
	var options C.lg_options
	options.size = C.sizeof_lg_options
	if detect != "" {
		options.detect = C.CString(detect)
		defer C.free(unsafe.Pointer(options.detect))
	}
	links := C.lg_find_utf8(data, C.size_t(len(text)), &options)
	defer C.lg_links_free(links)
	if failure := C.lg_links_error(links); failure.kind != nil {
		return nil, errors.New(C.GoString(failure.message))
	}
	var found []Link
	for i := C.size_t(0); i < C.lg_links_len(links); i++ {
		link := C.lg_links_at(links, i)
		found = append(found, Link{
			Start:    int(link.start),
			End:      int(link.end),
			Text:     C.GoStringN(link.text, C.int(link.text_len)),
			URI:      C.GoStringN(link.uri, C.int(link.uri_len)),
			Evidence: C.GoString(link.evidence),
		})
	}
	return found, nil
}
