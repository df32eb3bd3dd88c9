"""Everyday sentences for Portuguese: the Spanish ones of Tatoeba's English-Spanish list, translated by Apertium.

Writes `tatoeba/apertium-pt.txt` (English, tab, translation) into PULLQUOTE_LANGUAGES. Left out are English sentences
that LASER's test files have in any language, or nearly have, what else means the same in Spanish as one of these, and
translations with a word that Apertium does not know.
Needs the Debian package apertium-es-pt.
"""

import glob
import os
import re
import subprocess

import numpy as np
import scipy.sparse as sp

from features import tokenize

DATA = os.environ.get('PULLQUOTE_LANGUAGES', '')
MODE = 'es-pt_BR'
NEARLY = 0.6  # of the words of two sentences both have so many: one is a near copy of the other
BLOCK = 2000  # sentences compared at a time


def read(path):
    return open(path, encoding='utf8').read().split('\n')


def translated(sentences):
    """Each sentence by Apertium; a blank line keeps it apart from the next."""
    text = '\n\n'.join(sentences).encode()
    run = subprocess.run(['apertium', MODE], input=text, stdout=subprocess.PIPE, check=True)
    out = [' '.join(part.split()) for part in run.stdout.decode().rstrip('\n').split('\n\n')]
    if len(out) != len(sentences):
        raise SystemExit(f'apertium made {len(out)} of {len(sentences)} sentences')
    return out


def bags(sentences, index):
    """Which words of the index each tokenised sentence has, [sentences, words], and how many words it has at all."""
    words = [set(sentence.split()) for sentence in sentences]
    known = [[index[w] for w in row if w in index] for row in words]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in known])])
    flat = np.array([i for row in known for i in row], int)
    matrix = sp.csr_matrix((np.ones(len(flat), np.float32), flat, starts), (len(words), len(index)))
    return matrix, np.array([len(row) for row in words], np.float32)


def tested(english):
    """How much of each English sentence is the same as the nearest one of the test files: 1 where they have it."""
    theirs = sorted({row for row in tokenize([s for p in glob.glob(f'{DATA}/laser/*.eng') for s in read(p)]) if row})
    index = {w: i for i, w in enumerate(sorted({w for row in theirs for w in row.split()}))}
    (tests, test_sizes), (ours, sizes) = bags(theirs, index), bags(tokenize(english), index)
    tests = np.ascontiguousarray(tests.toarray().T)
    most = []
    for at in range(0, len(english), BLOCK):
        both = ours[at : at + BLOCK] @ tests
        either = sizes[at : at + BLOCK, None] + test_sizes - both
        most.append((both / np.maximum(either, 1)).max(1))
    return np.concatenate(most)


def unmarked(text, english):
    """A translation without Apertium's marks; '' where it left a word as it was that the English sentence does not have."""
    if any(word.lower() not in english.lower() for word in re.findall(r"[*@]([\w'-]+)", text)):
        return ''
    return re.sub(r'[*@#](?=\w)', '', text)


def main():
    rows = [line.split('\t') for line in read(f'{DATA}/tatoeba/es.txt')]
    pairs = list(dict.fromkeys((row[0], row[1]) for row in rows if len(row) > 1))
    same = tested([english for english, _ in pairs])
    known = {s for (_, s), share in zip(pairs, same) if share >= NEARLY}
    pairs = [(english, s) for english, s in pairs if s not in known]
    spanish = list(dict.fromkeys(s for _, s in pairs))
    means = dict(zip(spanish, translated(spanish)))
    found = dict.fromkeys((english, unmarked(means[s], english)) for english, s in pairs)
    lines = [f'{english}\t{text}\n' for english, text in found if text]
    print(len(lines), 'of', len(pairs), flush=True)
    with open(f'{DATA}/tatoeba/apertium-pt.txt', 'w', encoding='utf8') as file:
        file.writelines(lines)


if __name__ == '__main__':
    main()
