"""Embeds general-language pairs with the teacher, for the student to copy its similarities: teach.*.npy and .txt.

Both texts of a pair stand side by side (rows 2i and 2i + 1), so that any slice of rows holds similar and dissimilar texts.
"""
import argparse
import glob
import os
import sys

import numpy as np

from features import WORK
from teacher import Teacher

SHARE = {'nli': 30_000, 'sts': 3_000, 'quora': 22_000, 'gloss': 8_000, 'next': 14_000, 'phrase': 6_000, 'faq': 3_000, 'aspect': 4_000}


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--teacher', required=True)
    p.add_argument('--limit', type=int, default=100_000, help='texts, of about 177,000')
    p.add_argument('--threads', type=int, default=2)
    A = p.parse_args()
    rng = np.random.default_rng(5)
    pairs = []
    for name, size in SHARE.items():
        rows = [r.split('\t') for r in open(f'{WORK}/pairs.{name}.tsv').read().split('\n')[:-1]]
        if name == 'nli':
            rows += [[r[0], r[2]] for r in rows if len(r) > 2 and r[2]]
        pick = rng.choice(len(rows), min(size, len(rows)), replace=False)
        pairs += [(rows[i][0], rows[i][1]) for i in pick]
    pairs = [pairs[i] for i in rng.permutation(len(pairs)) if pairs[i][0] and pairs[i][1]]
    texts = [t for pair in pairs for t in pair]
    texts = [' '.join(t.split()[:60]) for t in texts[:A.limit]]
    print(len(texts), flush=True)
    teacher = Teacher(A.teacher, WORK, quantised=True, threads=A.threads)
    for old in glob.glob(f'{WORK}/teach.*'):
        os.remove(old)
    size = 20_000
    for s in range(0, len(texts), size):
        v = teacher(texts[s:s + size]).astype(np.float16)
        np.save(f'{WORK}/teach.{s // size:03d}.npy', v)
        open(f'{WORK}/teach.{s // size:03d}.txt', 'w').write('\n'.join(texts[s:s + size]))
        print(s, file=sys.stderr, flush=True)


main()
