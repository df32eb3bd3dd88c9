"""The reference figures of bench/RESULTS.md: the development table for all-MiniLM-L6-v2. `reference.py FOLDER`; 3 minutes."""

import sys

import numpy as np

from evaluation import HEAD, Development, line
from features import WORK
from teacher import Teacher

D = Development()
texts = list(dict.fromkeys(D.texts()))
vectors = dict(zip(texts, Teacher(sys.argv[1], WORK)(texts)))
print(HEAD)
print(line('all-MiniLM-L6-v2', D.measure(lambda t, kind: np.stack([vectors[x] for x in t]))))
