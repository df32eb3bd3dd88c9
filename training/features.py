"""How tokens become features: words, phrases (`a_b`) and words in a negation's scope (`not_b`).

Mirrors server/embed/builtin/model.ts, where the same is done without strings. Words the model does not know are
embedded from character n-grams there; in training they are left out.
"""

import json
import os
import subprocess

import numba as nb
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
WORK = os.environ.get('PULLQUOTE_WORK', os.path.join(HERE, '.work'))


def shipped(path):
    """Where a file of the package is written: to its place, or into the folder PULLQUOTE_OUT to be judged first."""
    out = os.environ.get('PULLQUOTE_OUT')
    return os.path.join(out, os.path.basename(path)) if out else os.path.join(HERE, '..', path)


with open(os.path.join(HERE, '../server/embed/builtin/features.json')) as file:
    FEATURES = json.load(file)  # what each means is told in features.ts beside it
NEGATORS, SCOPE, SCOPE_ENDS = FEATURES['negators'], FEATURES['scope'], FEATURES['scopeEnds']


def tokenize(texts, mode='columns'):
    """Tokens of each text, from the product's own tokenizer."""
    rows = '\n'.join(t.replace('\t', ' ').replace('\n', ' ').replace('\r', ' ') for t in texts) + '\n'
    run = subprocess.run(
        ['node', '--import', 'tsx', 'training/tokenize.ts', mode],
        input=rows.encode(),
        stdout=subprocess.PIPE,
        cwd=os.path.join(HERE, '..'),
        check=True,
    )
    return run.stdout.decode().split('\n')[: len(texts)]


@nb.njit
def expand(ids, ptr, keys, values, negator, ends, negated, n):
    """Word ids (-1 unknown) of each text -> feature ids: the words, then phrases and negated words as they come."""
    out = np.empty(len(ids) * 3 + 1, np.int32)
    optr = np.zeros(len(ptr), np.int64)
    m = 0
    for d in range(len(ptr) - 1):
        left = 0
        prev = -1
        for j in range(ptr[d], ptr[d + 1]):
            x = ids[j]
            if x < 0:
                if left > 0:
                    left -= 1
                prev = x
                continue
            out[m] = x
            m += 1
            paired = False
            if prev >= 0:
                key = np.int64(prev) * n + x
                q = np.searchsorted(keys, key)
                if q < len(keys) and keys[q] == key:
                    out[m] = values[q]
                    m += 1
                    paired = True
            if negator[x]:
                left = SCOPE
            else:
                if ends[x]:
                    left = 0
                if left > 0:
                    left -= 1
                    if negated[x] >= 0 and not paired:
                        out[m] = negated[x]
                        m += 1
            prev = x
        optr[d + 1] = m
    return out[:m], optr


class Vocabulary:
    """The shipped features: the `words` most frequent words, then phrases and negated words over them."""

    def __init__(self, words, phrases=10**9, negated=10**9):
        every = open(f'{WORK}/names.txt').read().split('\n')
        counts = np.load(f'{WORK}/counts.npy')
        plain = [i for i, w in enumerate(every) if '_' not in w]
        words = min(words, len(plain))
        known = {every[i] for i in plain[:words]}
        both = [i for i, w in enumerate(every) if '_' in w and all(x in known for x in w.split('_'))]
        joined = [i for i in both if not every[i].startswith('not_')][:phrases]
        turned = [i for i in both if every[i].startswith('not_')][:negated]
        self.source = np.array(plain[:words] + joined + turned)
        self.names = [every[i] for i in self.source]
        self.count = counts[self.source]
        self.words = words
        self.index = {w: i for i, w in enumerate(self.names[:words])}
        self.n = np.int64(len(self.names))
        pairs = [
            (self.index[a] * int(self.n) + self.index[b], i)
            for i, w in enumerate(self.names[words:], words)
            for a, b in [w.split('_')]
        ]
        pairs.sort()
        self.keys = np.array([k for k, _ in pairs], np.int64)
        self.values = np.array([v for _, v in pairs], np.int32)
        self.negated = np.full(self.n, -1, np.int32)
        for i, w in enumerate(self.names[words:], words):
            a, b = w.split('_')
            if a == 'not':
                self.negated[self.index[b]] = i
        self.negator, self.ends = np.zeros(self.n, np.bool_), np.zeros(self.n, np.bool_)
        self.negator[[self.index[w] for w in NEGATORS]] = True
        self.ends[[self.index[w] for w in SCOPE_ENDS]] = True

    def encode(self, texts, longest=80):
        """Tokenised texts -> (feature ids, offsets)."""
        get = self.index.get
        ids, ptr = [], [0]
        for t in texts:
            ids.extend([get(w, -1) for w in t.split()[:longest]])
            ptr.append(len(ids))
        return expand(
            np.array(ids, np.int32),
            np.array(ptr),
            self.keys,
            self.values,
            self.negator,
            self.ends,
            self.negated,
            self.n,
        )


@nb.njit
def bags(ids, ptr, E, w):
    out = np.zeros((len(ptr) - 1, E.shape[1]), np.float32)
    for d in range(len(ptr) - 1):
        for j in range(ptr[d], ptr[d + 1]):
            for k in range(E.shape[1]):
                out[d, k] += w[j] * E[ids[j], k]
    return out


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-9)
