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
Thread.new { sleep 0.005; puts "thread #{mono.call}" }.join
# Ruby wakes its main thread through an eventfd, which carries no time (docs/limits.md): that the
# time-out ends is what must hold here.
begin
  Timeout.timeout(0.02) { sleep 5 }
rescue Timeout::Error
  puts "timeout"
end
puts rand
