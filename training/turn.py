"""Turns a finished table so that its components stand in the order of what they tell of reviews' sentences, the most telling last.

The axes are the principal components of sentence vectors (not centred: cosines are not). No cosine changes but by rounding; words,
phrases, gains, doubts and the threshold stay. What it is for: a search that has compared the last components of a vector knows how
far the others can still bring it (server/search/memory/kernel.assembly.ts), and leaves most vectors at that.
"""

import argparse
import itertools
import lzma
import os
import subprocess

import numpy as np

from features import HERE, bags, shipped, unit
from mend import Shipped

CORPUS = os.environ.get('PULLQUOTE_CORPUS', os.path.join(HERE, '../../shared/corpus'))
EVERY = 40


def sentences():
    """Tokens of the sentences of every 40th review."""
    with lzma.open(os.path.join(CORPUS, 'reviews.jsonl.xz'), 'rt') as file:
        rows = ''.join(itertools.islice(file, 0, None, EVERY))
    run = subprocess.run(
        ['node', '--import', 'tsx', 'training/tokenize.ts', 'reviews', '0', '1'],
        input=rows.encode(),
        stdout=subprocess.PIPE,
        cwd=os.path.join(HERE, '..'),
        check=True,
    )
    return [cell.split('\1')[0] for row in run.stdout.decode().splitlines() for cell in row.split('\t')[4:]]


def axes(units):
    """Rows of length 1, [n, d] -> orthonormal columns [d, d] and how much of the rows' squares lies along each, the least first."""
    energy, columns = np.linalg.eigh((units.T @ units).astype(np.float64) / len(units))
    # an axis has no sign of its own
    signs = np.sign(columns[np.abs(columns).argmax(0), np.arange(len(columns))])
    return columns * signs, energy


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--model', default=shipped('server/embed/builtin/embedding.bin'))
    parser.add_argument('--out', default=shipped('server/embed/builtin/embedding.bin'))
    options = parser.parse_args()
    vocabulary = Shipped(options.model)
    features, starts, *_ = vocabulary.encode(sentences())
    sums = bags(features, starts, vocabulary.vectors, np.ones(len(features), np.float32))
    units = unit(sums[np.linalg.norm(sums, axis=1) > 1e-6])
    columns, energy = axes(units)
    last = np.cumsum(energy[::-1]) / energy.sum()
    print(len(units), 'sentences; the last', {n: round(float(last[n - 1]), 3) for n in (32, 64, 109, 128)})
    vocabulary.write((vocabulary.vectors @ columns).astype(np.float32), options.out)


if __name__ == '__main__':
    main()
