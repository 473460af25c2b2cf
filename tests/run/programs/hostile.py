# SPDX-License-Identifier: MIT
"""What a report must show and not obey: markup, escapes, what is not UTF-8, long lines, a binary."""
import os
import sys

token = os.urandom(6).hex()
out = sys.stdout.buffer
out.write(b"<script>document.title='obeyed'</script><img src=http://example.invalid/ onerror=alert(1)>\n")
out.write(b"</td></table></style><!-- &amp; \"'\n")
out.write(b"\x1b[31mred\x1b[0m\ttab, caf\xc3\xa9, \xff\xfe, turned \xe2\x80\xaearound\n")
out.write(b"x" * 3000 + b" " + token.encode() + b" " + b"y" * 3000 + b"\n")
for number in range(40):
    out.write(b"line %d\n" % number)
out.write(b"the last one, " + token.encode())
with open("blob", "wb") as blob:
    blob.write(bytes(range(256)) + os.urandom(8) + bytes(range(256)) * 40)
