# SPDX-License-Identifier: MIT
# /proc agrees with Process.pid.
def check(what, good)
  abort "FAIL: #{what}" unless good
end

pid = Process.pid
puts "pid #{pid} #{Process.ppid}"
check 'listing', Dir.children('/proc').include?(pid.to_s)
check 'glob', Dir.glob('/proc/[0-9]*').include?("/proc/#{pid}")
check 'link', File.readlink('/proc/self') == pid.to_s
check 'path', File.realpath('/proc/self/task') == "/proc/#{pid}/task"
check 'status', File.read("/proc/#{pid}/status")[/^Pid:\s*(\d+)/, 1].to_i == pid
child = spawn('sleep', '1000')
puts "child #{child}"
check 'parent', File.foreach("/proc/#{child}/status").grep(/^PPid:/)[0].split[1].to_i == pid
Process.kill('KILL', child)
Process.wait(child)
check 'nobody', !File.exist?("/proc/#{child}")
