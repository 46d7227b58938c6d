"""A contender's process as tests need it, which gives `2 * max(x, 0)` of its first input.

    python stub.py [scale=1.5] [seconds=0.001] [fails=open|turn] [dies=open|turn] [hangs=turn]
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

told = dict(word.split("=") for word in sys.argv[1:])
seconds = float(told.get("seconds", 0.001))
for line in sys.stdin:
    order = json.loads(line)
    if told.get("dies") == order["do"]:
        print("out of ideas", file=sys.stderr)
        sys.exit(3)
    if told.get("hangs") == order["do"]:
        time.sleep(60)
    if told.get("fails") == order["do"]:
        answer = {"error": "it does not like networks"}
    elif order["do"] == "open":
        folder = Path(order["folder"])
        with np.load(folder / "inputs.npz") as given:
            outputs = 2 * np.maximum(given["arr_0"], 0) * float(told.get("scale", 1))
        np.savez(folder / "outputs.npz", outputs)
        answer = {"version": "7.1", "note": f"{order['threads']} at work", "macs": 1000}
    else:
        answer = {"wall": [seconds, 1.5 * seconds], "processor": [seconds / 2, seconds]}
    print(json.dumps(answer), flush=True)
