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


def by_likeness(vectors, clusters=1000, rounds=6):
    """An order of the rows of vectors [texts, dimensions]: spherical k-means; the clusters follow each other from near to near, the order within one is random."""
    rng = np.random.default_rng(0)
    # [clusters, dimensions]
    centres = vectors[rng.choice(len(vectors), min(clusters, len(vectors)), replace=False)]
    for _ in range(rounds):
        cluster_of = np.concatenate(
            [(vectors[start : start + 5000] @ centres.T).argmax(1) for start in range(0, len(vectors), 5000)]
        )
        for cluster in range(len(centres)):
            if (cluster_of == cluster).any():
                centres[cluster] = unit(vectors[cluster_of == cluster].mean(0))
    path, left = [0], np.ones(len(centres), bool)
    left[0] = False
    while left.any():
        near = centres @ centres[path[-1]]
        near[~left] = -9
        path.append(int(near.argmax()))
        left[path[-1]] = False
    rank = np.empty(len(centres), int)
    rank[path] = np.arange(len(centres))
    return np.argsort(rank[cluster_of] + np.random.default_rng(1).random(len(vectors)) * 0.5, kind='stable')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--teacher', required=True)
    parser.add_argument('--limit', type=int, default=100_000, help='texts, of about 177,000')
    parser.add_argument('--threads', type=int, default=2)
    options = parser.parse_args()
    rng = np.random.default_rng(5)
    pairs = []
    for name, size in SHARE.items():
        rows = [cells.split('\t') for cells in open(f'{WORK}/pairs.{name}.tsv').read().split('\n')[:-1]]
        if name == 'nli':
            rows += [[cells[0], cells[2]] for cells in rows if len(cells) > 2 and cells[2]]
        pick = rng.choice(len(rows), min(size, len(rows)), replace=False)
        pairs += [(rows[number][0], rows[number][1]) for number in pick]
    pairs = [pairs[number] for number in rng.permutation(len(pairs)) if pairs[number][0] and pairs[number][1]]
    texts = [text for pair in pairs for text in pair]
    texts = [' '.join(text.split()[:60]) for text in texts[: options.limit]]
    print(len(texts), flush=True)
    teacher = Teacher(options.teacher, WORK, quantised=True, threads=options.threads)
    for old in glob.glob(f'{WORK}/teach.*'):
        os.remove(old)
    size = 20_000
    for start in range(0, len(texts), size):
        vectors = teacher(texts[start : start + size]).astype(np.float16)
        np.save(f'{WORK}/teach.{start // size:03d}.npy', vectors)
        open(f'{WORK}/teach.{start // size:03d}.txt', 'w').write('\n'.join(texts[start : start + size]))
        print(start, file=sys.stderr, flush=True)
    all_vectors = np.concatenate(
        [np.load(f'{WORK}/teach.{start // size:03d}.npy') for start in range(0, len(texts), size)]
    ).astype(np.float32)
    np.save(f'{WORK}/likeness.npy', by_likeness(all_vectors))


if __name__ == '__main__':
    main()
