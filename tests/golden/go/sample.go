// Package ring keeps a ring.
package ring

import (
	"fmt"
	str "strings"

	. "example.org/ring/dot"
	_ "example.org/ring/side"
)

// Limits of a ring.
const (
	// MaxSize is the largest.
	MaxSize, minSize = 10, 1
	step             = iota
)

var (
	Default = New[int](MaxSize)
	count   int
)

// Ring holds its elements. It never grows.
type Ring[E any] struct {
	Base
	*fmt.Formatter
	buffer, spare []E
	OnPut         func(element E) error
}

type (
	Putter interface {
		Put(element int) error
		fmt.Stringer
	}
	Alias  = Ring[int]
	Number int
	Visit  func(element int) bool
)

// New makes a ring.
func New[E any](size int) *Ring[E] {
	ring := &Ring[E]{buffer: make([]E, size), OnPut: func(element E) error { return nil }}
	return ring
}

// Put adds one.
func (r *Ring[E]) Put(element E, more ...E) (err error) {
	for index, other := range more {
		fmt.Println(index, other, count)
	}
	if size, ok := r.size(); ok && size > minSize {
		r.buffer = append(r.buffer, element)
	}
	switch kind := any(element).(type) {
	case Number:
		kind.Add(1)
	}
	select {
	case got := <-channel:
		use(got)
	default:
	}
outer:
	for {
		break outer
	}
	return r.
		OnPut(element)
}

func (Ring[E]) size() (int, bool) { return str.Count("Put()", ""), true }

func init() {
	const local = 1
	var visit Visit = func(element int) bool { return element == local }
	_ = visit(int(Number(3)))
}
