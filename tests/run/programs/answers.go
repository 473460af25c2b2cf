// SPDX-License-Identifier: MIT
package main

import (
	"crypto/rand"
	"fmt"
	"os"
	"time"
)

func main() {
	var b [16]byte
	fmt.Println("r", os.Getpid())
	rand.Read(b[:])
	fmt.Printf("r %x\n", b)
	start := time.Now()
	fmt.Println(start.UnixNano())
	time.Sleep(time.Millisecond)
	now := time.Now()
	fmt.Println(now.UnixNano(), now.Sub(start))
	rand.Read(b[:])
	fmt.Printf("r %x\n", b)
	names := map[string]int{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8}
	for name := range names {
		fmt.Print(name)
	}
	fmt.Println()
}
