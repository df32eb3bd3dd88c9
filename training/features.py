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
def expand(words, starts, keys, values, negator, ends_scope, negated, size):
    """Word ids (-1 unknown) of each text -> feature ids: the words, then phrases and negated words as they come.

    words int32 [words of all texts], starts int64 [texts + 1]; keys int64, sorted, and values int32: the phrases, as
    `first word * size + second word` -> feature; negator, ends_scope bool and negated int32 (-1 none) [size].
    Returns the features, int32, and where each text's begin, int64 [texts + 1].
    """
    out = np.empty(len(words) * 3 + 1, np.int32)
    out_starts = np.zeros(len(starts), np.int64)
    used = 0
    for text in range(len(starts) - 1):
        scope_left = 0
        previous = -1
        for at in range(starts[text], starts[text + 1]):
            word = words[at]
            if word < 0:
                if scope_left > 0:
                    scope_left -= 1
                previous = word
                continue
            out[used] = word
            used += 1
            paired = False
            if previous >= 0:
                key = np.int64(previous) * size + word
                place = np.searchsorted(keys, key)
                if place < len(keys) and keys[place] == key:
                    out[used] = values[place]
                    used += 1
                    paired = True
            if negator[word]:
                scope_left = SCOPE
            else:
                if ends_scope[word]:
                    scope_left = 0
                if scope_left > 0:
                    scope_left -= 1
                    if negated[word] >= 0 and not paired:
                        out[used] = negated[word]
                        used += 1
            previous = word
        out_starts[text + 1] = used
    return out[:used], out_starts


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
        # places of the features in names.txt and counts.npy [features]
        self.source = np.array(plain[:words] + joined + turned)
        self.names = [every[i] for i in self.source]
        self.count = counts[self.source]
        self.words = words
        self.index = {w: i for i, w in enumerate(self.names[:words])}
        self.size = np.int64(len(self.names))
        pairs = [
            (self.index[a] * int(self.size) + self.index[b], i)
            for i, w in enumerate(self.names[words:], words)
            for a, b in [w.split('_')]
        ]
        pairs.sort()
        # phrases and negated words, by the key that `expand` looks up, sorted
        self.keys = np.array([k for k, _ in pairs], np.int64)
        self.values = np.array([v for _, v in pairs], np.int32)
        # of each word: its negated form, -1 for none [features]
        self.negated = np.full(self.size, -1, np.int32)
        for i, w in enumerate(self.names[words:], words):
            a, b = w.split('_')
            if a == 'not':
                self.negated[self.index[b]] = i
        self.negator, self.ends_scope = np.zeros(self.size, np.bool_), np.zeros(self.size, np.bool_)
        self.negator[[self.index[w] for w in NEGATORS]] = True
        self.ends_scope[[self.index[w] for w in SCOPE_ENDS]] = True

    def encode(self, texts, longest=80):
        """Tokenised texts -> (feature ids, offsets)."""
        number_of = self.index.get
        words, starts = [], [0]
        for text in texts:
            words.extend([number_of(w, -1) for w in text.split()[:longest]])
            starts.append(len(words))
        return expand(
            np.array(words, np.int32),
            np.array(starts),
            self.keys,
            self.values,
            self.negator,
            self.ends_scope,
            self.negated,
            self.size,
        )


@nb.njit
def bags(features, starts, vectors, weights):
    """The weighted sum of each text's vectors: vectors float32 [features, dimensions] -> float32 [texts, dimensions]."""
    out = np.zeros((len(starts) - 1, vectors.shape[1]), np.float32)
    for text in range(len(starts) - 1):
        for at in range(starts[text], starts[text + 1]):
            for dimension in range(vectors.shape[1]):
                out[text, dimension] += weights[at] * vectors[features[at], dimension]
    return out


def unit(x):
    """Rows scaled to length 1."""
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-9)
