#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""valid_records.py SCHEMA FILE...: is every line a record as the schema says? Names the first that is
not."""
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
count = 0
for path in sys.argv[2:]:
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        count += 1
        for error in validator.iter_errors(json.loads(line)):
            sys.exit(f"{path}:{number}: {list(error.absolute_path)}: {error.message}\n{line}")
if count == 0:
    sys.exit("no records at all")
