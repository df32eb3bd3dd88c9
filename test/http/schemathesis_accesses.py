"""What test/http/schemathesis.test.ts adds to schemathesis: it sends each request again with every access, and checks each answer.

To think of a request takes ten times as much of the processor as to send it. ACCESSES has the accesses, and the file
REPORT gets what came of each.
"""

import atexit
import json
import os
import re

import requests
import schemathesis
from schemathesis.checks import CHECKS

CHECKED = os.environ["CHECKED"].split(",")
ACCESSES = json.loads(os.environ["ACCESSES"])
report = {access["name"]: {"requests": 0, "failures": []} for access in ACCESSES}
sessions = {access["name"]: requests.Session() for access in ACCESSES}


@schemathesis.check
def every_access(ctx, response, case):
    """Fails nothing itself: what failed stands in the report, by access."""
    checks = CHECKS.get_by_names(CHECKED)
    for access in ACCESSES:
        if not re.search(access["paths"], case.operation.path):
            continue
        told = report[access["name"]]
        told["requests"] += 1
        try:
            case.call_and_validate(
                session=sessions[access["name"]], headers=access["headers"], timeout=60, checks=checks
            )
        except BaseException as error:  # a failure is a group of exceptions
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            told["failures"].append(f"{case.operation.label}: {error}")


@atexit.register
def tell():
    with open(os.environ["REPORT"], "w", encoding="utf-8") as file:
        json.dump(report, file)
