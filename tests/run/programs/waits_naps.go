// SPDX-License-Identifier: MIT

// A goroutine is ready to run and its thread in a system call: only when the scheduler's watchman wakes
// from its nap another thread runs it. No time of the job passes meanwhile, though a child waits for one.
package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

func compute() {
	for i := 0; i < 100000000; i++ {
		runtime.KeepAlive(i)
	}
}

func main() {
	var pipe [2]int
	runtime.GOMAXPROCS(1)
	child := exec.Command("sleep", "100")
	if syscall.Pipe(pipe[:]) != nil || child.Start() != nil {
		return
	}
	start := time.Now()
	for i := 0; i < 10; i++ {
		compute()
		go func() { syscall.Write(pipe[1], []byte{0}) }()
		syscall.Read(pipe[0], make([]byte, 1))
		fmt.Println(time.Since(start))
	}
	child.Wait()
	fmt.Println(time.Since(start))
}
