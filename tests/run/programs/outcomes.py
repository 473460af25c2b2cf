# SPDX-License-Identifier: MIT
"""outcomes.py MODULE FILE: lines "test outcome" of a module's JUnit results, sorted."""
import sys
import xml.etree.ElementTree as xml

WORST = ["failure", "error", "skipped", "ok"]


def outcome(case):
    tags = {child.tag for child in case}
    if case.get("status") == "notrun":
        tags.add("skipped")
    return next((tag for tag in WORST if tag in tags), "ok")


module, path = sys.argv[1:]
seen = {}
for case in xml.parse(path).iter("testcase"):
    name = case.get("name").removeprefix(f"test.{module}.").replace(" ", "_")
    seen[name] = min(outcome(case), seen.get(name, "ok"), key=WORST.index)
if not seen:
    sys.exit("no test has run")
for name in sorted(seen):
    print(name, seen[name])
