# SPDX-License-Identifier: MIT
# An hour (or the seconds that are given) of Ruby's ways to wait, each its part.
require 'timeout'

HOUR = Float(ARGV[0])

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

def part(name)
  before = now
  result = yield
  puts "#{name} #{result} #{((now - before) / HOUR * 100).round}"
end

def timed_out
  Timeout.timeout(HOUR * 2 / 10) { sleep }
rescue Timeout::Error
  'timeout'
end

def condition
  lock = Mutex.new
  lock.synchronize { ConditionVariable.new.wait(lock, HOUR / 10) }
  'over'
end

start = now
part('sleep') { sleep(HOUR * 3 / 10) && 'over' }
part('threads') { [3, 1, 2].map { |n| Thread.new { sleep(HOUR * n / 10) && n } }.map(&:value).join(',') }
part('timeout') { timed_out }
part('condition') { condition }
part('select') { IO.select([IO.pipe[0]], nil, nil, HOUR / 10).inspect }
puts "all #{((now - start) / HOUR * 100).round}"
puts "clock #{Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)}"
