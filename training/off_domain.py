"""Writes server/embed/builtin/off-domain.bin: how much more often each word stands in other texts than in reviews.

File, little-endian: `PQOD`; uint32 version, words; a byte a word of embedding.bin, in its order: the natural logarithm of
its frequency in general English (wordfreq) over that in the corpus's reviews, in 32nds, at most 5; 0
where reviews have it as often.
`--without-kept-out` counts as if the files of kept_out.py were not there: to choose by what was not counted.
"""

import argparse
import collections
import glob
import math
import struct

from wordfreq import word_frequency

from features import WORK, shipped
from kept_out import FILES
from mend import Shipped

VERSION, STEP, MOST = 1, 32, 5
# added to each count: a word that no review has is not infinitely far
SMOOTHED, LEAST = 5, 1e-8


def counts(leave):
    found = collections.Counter()
    for path in sorted(glob.glob(f'{WORK}/reviews.?.tsv')):
        for line in open(path):
            file, _, _, _, *sentences = line.rstrip('\n').split('\t')
            if file not in leave:
                for sentence in sentences:
                    found.update(sentence.split('\x01', 1)[0].split())
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--model', default=shipped('server/embed/builtin/embedding.bin'))
    parser.add_argument('--without-kept-out', action='store_true')
    options = parser.parse_args()
    vocabulary = Shipped(options.model)
    count = counts(FILES if options.without_kept_out else ())
    total = sum(count.values())
    odds = (
        math.log((word_frequency(word, 'en') + LEAST) * total / (count[word] + SMOOTHED))
        for word in vocabulary.names[: vocabulary.words]
    )
    out = shipped('server/embed/builtin/off-domain.bin')
    with open(out, 'wb') as file:
        file.write(b'PQOD' + struct.pack('<2I', VERSION, vocabulary.words))
        file.write(bytes(round(STEP * min(MOST, max(0, one))) for one in odds))
    print(out, total)


if __name__ == '__main__':
    main()
