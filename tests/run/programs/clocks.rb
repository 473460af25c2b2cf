# SPDX-License-Identifier: MIT
require 'timeout'
mono = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) }
keep = []
100.times do |round|
  2000.times { |i| keep << "x#{i}" }
  keep = [] if round % 10 == 0
  GC.start if round % 25 == 0
  puts "#{Time.now.to_f} #{mono.call}" if round % 20 == 0
end
sleep 0.003
puts "#{Time.now.to_f} #{mono.call} #{rand}"
# Ruby wakes its main thread through an eventfd, which carries no time (docs/limits.md): that both end,
# and what the thread itself sees, is what must hold here.
Thread.new { sleep 0.005; puts "thread #{mono.call}" }.join
begin
  Timeout.timeout(0.02) { sleep 5 }
rescue Timeout::Error
  puts "timeout"
end
