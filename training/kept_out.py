"""What teaches nothing: whole files of reviews, kept out of the embedding's training so that development sets can be made of
them (titles.py; the natural queries of bench/relevance ask most of them), pairs that hold a sentence of the corpus's development sets, and titles that are the
rating in words.

Run as a program it rewrites pairs.*.tsv in the work folder without those pairs, and counts how often each title stands in
a file (titles.json).
"""

import collections
import functools
import glob
import json
import lzma
import os

from features import HERE, WORK, tokenize

CORPUS = os.environ.get('PULLQUOTE_CORPUS', '../../shared/corpus')
# one list for training and measuring
FILES = set(json.load(open(os.path.join(HERE, '../bench/relevance/kept-out.json'))))
# Shops that ask for stars offer a title of their own for each ("Wow!"): the same few stand beside thousands of texts, and
# whatever stands beside everything comes near to everything.
MOST_TITLES = 3
# shorter development texts ("great food") are anybody's
LEAST_WORDS = 5


@functools.cache
def repeated():
    path = f'{WORK}/titles.json'
    return {tuple(t) for t in json.load(open(path))}


def teaching_title(file, title):
    """The title, or nothing if it teaches nothing."""
    return '' if (file, title) in repeated() else title


def development_texts():
    out = []
    for name in ('dstc.docs', 'aspect.docs', 'subjqa.docs'):
        out += [json.loads(line)['text'] for line in lzma.open(f'{CORPUS}/dev/{name}.jsonl.xz', 'rt')]
    for line in lzma.open(f'{CORPUS}/dev/stsb.jsonl.xz', 'rt'):
        row = json.loads(line)
        out += [row['a'], row['b']]
    return {t for t in tokenize(out) if t.count(' ') + 1 >= LEAST_WORDS}


def main():
    kept = development_texts()
    for path in sorted(glob.glob(f'{WORK}/pairs.*.tsv')):
        rows = open(path).read().split('\n')[:-1]
        left = [r for r in rows if not any(t in kept for t in r.split('\t')[:3])]
        if len(left) < len(rows):
            print(os.path.basename(path), len(rows) - len(left), 'of', len(rows), 'pairs are in the development sets')
            open(path, 'w').write('\n'.join(left) + '\n')
    count = collections.Counter()
    for path in sorted(glob.glob(f'{WORK}/reviews.*.tsv')):
        for line in open(path):
            file, _, _, title = line.split('\t', 4)[:4]
            if title:
                count[file, title] += 1
    often = [t for t, n in count.items() if n > MOST_TITLES]
    print(len(often), 'titles teach nothing, of', sum(count[t] for t in often), 'reviews of', sum(count.values()))
    json.dump(often, open(f'{WORK}/titles.json', 'w'))


if __name__ == '__main__':
    main()
