"""Lengthens the rows of rare words in embedding.bin, which the training leaves short.

    PULLQUOTE_ENGLISH=folder python lengthen.py [--model server/embed/builtin/embedding.bin] [--out the same]

A word that few reviews say is seldom moved from where it began, so that "leeks" (.66 long) lost to "selection" (1.33) beside it:
of a shop's headings that stand word for word in a sentence, 708 of 5,595 did not reach the floor. Only words of WordNet and SCOWL (see
rare_words.py): names and slips of the pen are better short. Directions stay as they are. Running it twice changes nothing more.
"""

import argparse
import os

import numpy as np

from features import shipped
from mend import Shipped
from rare_words import LEAST_LENGTH, WordNet, other_numbers

FREQUENT = 3_000  # words up to here have the length that the training gave them


def is_english(word, wordnet, listed):
    return word in listed or any(w in wordnet.senses and not wordnet.is_name(w) for w in (word, *other_numbers(word)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--model', default=shipped('server/embed/builtin/embedding.bin'))
    parser.add_argument('--out', default=shipped('server/embed/builtin/embedding.bin'))
    options = parser.parse_args()
    folder = os.environ['PULLQUOTE_ENGLISH']
    wordnet = WordNet(f'{folder}/wordnet')
    listed = set(open(f'{folder}/scowl.txt').read().split('\n'))
    table = Shipped(options.model)
    features = len(table.gain)
    scales = np.frombuffer(table.raw, np.float32, features, table.rows_at).copy()
    lengths = np.linalg.norm(table.vectors[: table.words], axis=1)
    # a little less, or rounding would lengthen it again
    short = np.flatnonzero((lengths < 0.999 * LEAST_LENGTH) & (lengths > 0))
    short = [i for i in short if i >= FREQUENT and is_english(table.names[i], wordnet, listed)]
    scales[short] *= LEAST_LENGTH / lengths[short]
    table.raw[table.rows_at : table.rows_at + 4 * features] = scales.tobytes()
    open(options.out, 'wb').write(table.raw)
    print(options.out, len(short), 'rows lengthened')


if __name__ == '__main__':
    main()
