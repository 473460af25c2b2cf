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
}
