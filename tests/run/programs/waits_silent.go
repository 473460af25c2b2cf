// SPDX-License-Identifier: MIT

// Goroutines, tickers, contexts and commands wait for times: says when each was over.
package main

import (
	"context"
	"fmt"
	"os/exec"
	"sync"
	"time"
)

var start = time.Now()

func at(what string) { fmt.Printf("%s %v\n", what, time.Since(start).Round(time.Microsecond)) }

func main() {
	for i := 0; i < 5; i++ {
		time.Sleep(3 * time.Millisecond)
	}
	at("short")
	var wg sync.WaitGroup
	for i := 1; i <= 8; i++ {
		wg.Add(1)
		go func(n int) { defer wg.Done(); time.Sleep(time.Duration(n) * 100 * time.Millisecond) }(i)
	}
	wg.Wait()
	at("goroutines")
	ticker := time.NewTicker(250 * time.Millisecond)
	for i := 0; i < 4; i++ {
		<-ticker.C
		at("tick")
	}
	ticker.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	err := exec.CommandContext(ctx, "sleep", "10").Run()
	cancel()
	at(fmt.Sprint("command ", err))
	ctx, cancel = context.WithDeadline(context.Background(), time.Now().Add(2*time.Second))
	<-ctx.Done()
	cancel()
	at(fmt.Sprint("deadline ", ctx.Err()))
	out, _ := exec.Command("sh", "-c", "sleep 1; date +%s").Output()
	at("sh " + string(out[:len(out)-1]))
	select {
	case <-time.After(30 * time.Minute):
		at("after")
	}
	t := time.AfterFunc(time.Second, func() { at("func") })
	time.Sleep(1500 * time.Millisecond)
	t.Stop()
	at("end")
}
