"""Counts tokens, chooses words, phrases and negated words, and writes the token stream for skip-gram training.

Reads reviews.*.tsv and pairs.*.tsv (tokenised) from the work folder; writes names.txt (one feature a line: words by
falling frequency, then `a_b` phrases), counts.npy, ids.bin, cnt.bin.
"""

import collections
import glob
import sys

import numba as nb
import numpy as np

from features import NEGATORS, SCOPE, SCOPE_ENDS, WORK
from kept_out import FILES, teaching_title

STREAM_WORDS = 110_000  # words that get a skip-gram vector; the rarer ones teach the subword buckets
PHRASES = 7_000
NEGATED = 3_000
STOP = set(
    "the a an and or of to in on at for with is was are were be been it its this that these those i we you he she "
    "they my our your his her their me us him them as by from but if so do did does have has had not no very will would "
    "can could there here what which who when how all just also than then too am s t".split()
)


def texts():
    for path in sorted(glob.glob(f'{WORK}/reviews.*.tsv')):
        for line in open(path):
            p = line.rstrip('\n').split('\t')
            if p[0] not in FILES:
                yield teaching_title(p[0], p[3]) + ' ' + ' '.join(s.split('\x01', 1)[0] for s in p[4:])
    for path in sorted(glob.glob(f'{WORK}/pairs.*.tsv')):
        if path.endswith('syn.tsv'):
            continue
        for line in open(path):
            yield ' '.join(line.rstrip('\n').split('\t')[:2])


@nb.njit
def pair_keys(arr, ok, n):
    keys = np.empty(len(arr), np.int64)
    m = 0
    for i in range(len(arr) - 1):
        a, b = arr[i], arr[i + 1]
        if a >= 0 and b >= 0 and a < 40000 and b < 40000 and ok[a] and ok[b]:
            keys[m] = np.int64(a) * n + b
            m += 1
    return keys[:m]


@nb.njit
def negated_counts(arr, negator, ends, n):
    out = np.zeros(n, np.int64)
    left = 0
    for x in arr:
        if x < 0:
            left = 0 if x == -1 else left - 1
            continue
        if negator[x]:
            left = SCOPE
            continue
        if ends[x]:
            left = 0
        if left > 0:
            out[x] += 1
            left -= 1
    return out


@nb.njit
def merge(arr, keys, values, n, negator, ends, negated, share, seed):
    """Replaces phrases, and words in a negation's scope, by their own token in `share` of the places."""
    np.random.seed(seed)
    out = np.empty(len(arr), np.int32)
    m = 0
    i = 0
    left = 0
    while i < len(arr):
        x = arr[i]
        if x < 0:
            left = 0 if x == -1 else left - 1
        elif i + 1 < len(arr) and arr[i + 1] >= 0:
            key = np.int64(x) * n + arr[i + 1]
            q = np.searchsorted(keys, key)
            if q < len(keys) and keys[q] == key and np.random.random() < share:
                out[m] = values[q]
                m += 1
                i += 2
                left = SCOPE if negator[x] else max(0, left - 2)
                continue
        if x >= 0:
            if negator[x]:
                left = SCOPE
            else:
                if ends[x]:
                    left = 0
                if left > 0:
                    left -= 1
                    if negated[x] >= 0 and np.random.random() < share:
                        x = negated[x]
        out[m] = x
        m += 1
        i += 1
    return out[:m]


def main():
    count = collections.Counter()
    for text in texts():
        count.update(text.split())
    words = [w for w, c in count.most_common(STREAM_WORDS) if c >= 4 and '_' not in w]
    index = {w: i for i, w in enumerate(words)}
    n = len(words)
    print('tokens', sum(count.values()) / 1e6, 'M, types', len(count), 'words', n, flush=True)
    parts = []
    get = index.get
    for text in texts():
        parts.append(np.array([get(w, -2) for w in text.split()] + [-1], np.int32))
    arr = np.concatenate(parts)
    del parts
    cw = np.array([count[w] for w in words], np.float64)
    total = cw.sum()

    def flags(names):
        f = np.zeros(n, np.bool_)
        f[[index[w] for w in names if w in index]] = True
        return f

    negator, ends = flags(NEGATORS), flags(SCOPE_ENDS)
    ok = np.array([(w not in STOP and w.isalpha()) or w in ('not', 'no', 'never', 'without') for w in words])
    keys, c = np.unique(pair_keys(arr, ok, n), return_counts=True)
    keys, c = keys[c >= 120], c[c >= 120]
    a, b = keys // n, keys % n
    pmi = np.log(c * total / (cw[a] * cw[b]))
    npmi = pmi / -np.log(c / total)
    is_not = a == index['not']
    score = np.where((npmi > 0.33) & ~is_not, c * np.clip(pmi, 0.1, None), 0)
    order = np.argsort(-score)[:PHRASES]
    order = order[score[order] > 0]
    neg = negated_counts(arr, negator, ends, n)
    alpha = np.array([w.isalpha() and len(w) > 2 and w not in STOP for w in words])
    neg_words = np.argsort(-np.where(alpha, neg, 0))[:NEGATED]
    phrases = [(words[a[i]], words[b[i]]) for i in order]
    print('phrases', len(phrases), phrases[:20], phrases[-20:])
    print('negated', [words[i] for i in neg_words[:40]], neg[neg_words[-1]])
    names = words + [f'{x}_{y}' for x, y in phrases] + [f'not_{words[i]}' for i in neg_words]
    kk = np.concatenate([keys[order], index['not'] * n + neg_words.astype(np.int64)])
    vv = np.arange(n, len(names), dtype=np.int32)
    s = np.argsort(kk)
    negated = np.full(n, -1, np.int32)
    negated[neg_words] = np.arange(n + len(phrases), len(names))
    out = merge(arr, kk[s], vv[s], n, negator, ends, negated, 0.5, 1)
    cnt = np.maximum(np.bincount(out[out >= 0], minlength=len(names)), 1).astype(np.int64)
    out.tofile(f'{WORK}/ids.bin')
    cnt.tofile(f'{WORK}/cnt.bin')
    np.save(f'{WORK}/counts.npy', np.concatenate([cw, c[order], neg[neg_words]]))
    open(f'{WORK}/names.txt', 'w').write('\n'.join(names))
    print('features', len(names), 'stream', len(out), 'covered by 36k', cw[:36000].sum() / total, file=sys.stderr)


main()
