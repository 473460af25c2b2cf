// SPDX-License-Identifier: MIT

// An hour (or the seconds that are given) of Go's ways to wait, each its part.
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"sync"
	"time"
)

var hour time.Duration

func percent(since time.Time) int {
	return int(math.Round(float64(time.Since(since)) / float64(hour) * 100))
}

func part(name string, wait func() string) {
	before := time.Now()
	result := wait()
	fmt.Println(name, result, percent(before))
}

func ticks() string {
	ticker := time.NewTicker(hour / 20)
	defer ticker.Stop()
	for i := 0; i < 4; i++ {
		<-ticker.C
	}
	return "4"
}

func deadline() string {
	ctx, cancel := context.WithTimeout(context.Background(), hour*2/10)
	defer cancel()
	select {
	case <-ctx.Done():
		return ctx.Err().Error()
	case <-time.After(hour):
		return "late"
	}
}

func sorted() string {
	var group sync.WaitGroup
	var lock sync.Mutex
	text := ""
	for _, n := range []int{3, 1, 2} {
		group.Add(1)
		go func(n int) {
			defer group.Done()
			time.Sleep(hour * time.Duration(n) / 10)
			lock.Lock()
			text += strconv.Itoa(n)
			lock.Unlock()
		}(n)
	}
	group.Wait()
	return text
}

func main() {
	seconds, _ := strconv.ParseFloat(os.Args[1], 64)
	hour = time.Duration(seconds * float64(time.Second))
	start := time.Now()
	part("sleep", func() string { time.Sleep(hour * 3 / 10); return "over" })
	part("ticker", ticks)
	part("context", deadline)
	part("sorted", sorted)
	fmt.Println("all", percent(start))
}
