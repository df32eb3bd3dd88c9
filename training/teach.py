"""Embeds general-language pairs with the teacher, for the student to copy its similarities: teach.*.npy and .txt.

Both texts of a pair stand side by side (rows 2i and 2i + 1), so that any slice of rows holds similar and dissimilar texts.
likeness.npy orders the texts so that like ones stand together: of texts drawn at random nearly all cosines are small,
and there is little to learn from them.
"""

import argparse
import glob
import os
import sys

import numpy as np

from features import WORK, unit
from teacher import Teacher

SHARE = {
    'nli': 30_000,
    'sts': 3_000,
    'quora': 22_000,
    'gloss': 8_000,
    'next': 14_000,
    'phrase': 6_000,
    'faq': 3_000,
    'aspect': 4_000,
}


def by_likeness(X, clusters=1000, rounds=6):
    """Spherical k-means; the clusters follow each other from near to near, the order within one is random."""
    rng = np.random.default_rng(0)
    C = X[rng.choice(len(X), min(clusters, len(X)), replace=False)]
    for _ in range(rounds):
        of = np.concatenate([(X[s : s + 5000] @ C.T).argmax(1) for s in range(0, len(X), 5000)])
        for k in range(len(C)):
            if (of == k).any():
                C[k] = unit(X[of == k].mean(0))
    row, left = [0], np.ones(len(C), bool)
    left[0] = False
    while left.any():
        near = C @ C[row[-1]]
        near[~left] = -9
        row.append(int(near.argmax()))
        left[row[-1]] = False
    rank = np.empty(len(C), int)
    rank[row] = np.arange(len(C))
    return np.argsort(rank[of] + np.random.default_rng(1).random(len(X)) * 0.5, kind='stable')


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
    texts = [' '.join(t.split()[:60]) for t in texts[: A.limit]]
    print(len(texts), flush=True)
    teacher = Teacher(A.teacher, WORK, quantised=True, threads=A.threads)
    for old in glob.glob(f'{WORK}/teach.*'):
        os.remove(old)
    size = 20_000
    for s in range(0, len(texts), size):
        v = teacher(texts[s : s + size]).astype(np.float16)
        np.save(f'{WORK}/teach.{s // size:03d}.npy', v)
        open(f'{WORK}/teach.{s // size:03d}.txt', 'w').write('\n'.join(texts[s : s + size]))
        print(s, file=sys.stderr, flush=True)
    X = np.concatenate([np.load(f'{WORK}/teach.{s // size:03d}.npy') for s in range(0, len(texts), size)]).astype(
        np.float32
    )
    np.save(f'{WORK}/likeness.npy', by_likeness(X))


if __name__ == '__main__':
    main()
