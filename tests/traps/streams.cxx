// SPDX-License-Identifier: MIT
// C++: std::random_device, std::ifstream of a random device, std::chrono clocks and waits that end.
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <future>
#include <mutex>
#include <random>
#include <set>
#include <thread>

static void check(bool holds, int line)
{
    if (holds)
        return;
    std::fprintf(stderr, "streams.cxx:%d\n", line);
    std::exit(1);
}
#define CHECK(condition) check(condition, __LINE__)

using block = std::array<unsigned, 4>;

static block from_device(std::random_device &device)
{
    return {device(), device(), device(), device()};
}

static void random_blocks()
{
    std::set<block> seen;
    std::random_device device, other("/dev/urandom");
    std::ifstream file("/dev/urandom", std::ios::binary);
    for (int i = 0; i < 50; i++) {
        block b;
        CHECK(bool(file.read(reinterpret_cast<char *>(b.data()), sizeof(b))));
        CHECK(seen.insert(b).second);
        CHECK(seen.insert(from_device(device)).second);
        CHECK(seen.insert(from_device(other)).second);
    }
    CHECK(seen.size() == 150);
}

template <class Clock> static void waits()
{
    std::mutex mutex;
    std::condition_variable condition;
    std::unique_lock<std::mutex> lock(mutex);
    auto end = Clock::now() + std::chrono::milliseconds(20);
    while (condition.wait_until(lock, end) != std::cv_status::timeout)
        ;
    CHECK(Clock::now() >= end);
    CHECK(condition.wait_for(lock, std::chrono::seconds(0)) == std::cv_status::timeout);
    std::promise<void> promise;
    auto future = promise.get_future();
    CHECK(future.wait_until(Clock::now() + std::chrono::milliseconds(5)) ==
          std::future_status::timeout);
    auto before = Clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_until(Clock::now() - std::chrono::hours(1));
    CHECK(Clock::now() - before >= std::chrono::milliseconds(5));
}

int main()
{
    random_blocks();
    waits<std::chrono::steady_clock>();
    waits<std::chrono::system_clock>();
    std::puts("EXIT-SUCCESS");
}
