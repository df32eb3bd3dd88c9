"""Gives the words of review-senses.txt the English words that stand there, in a lexicon that languages.py wrote, where they mean
something else there.

    python senses.py [--lexicon server/embed/builtin/languages.bin] [--out the same]

Runs after the training, which learns what a word means where people talk, and not in reviews: "trato" is "I try", "copieux" next
to "copycat". Frequencies of entries stay, and roles but of those told as a negation; a new one has its frequency from wordfreq.
Running it twice changes nothing more.
"""

import argparse
import os

import numpy as np
from wordfreq import zipf_frequency

from features import HERE, NEGATORS, shipped
from languages import LANGUAGES, MOST_WORDS, OUT, English, Written, read, tokens, write

RARE = 1.5  # Zipf frequency of a form that wordfreq does not know
ALIKE = 0.6  # cosine from which an entry already means what is told, and keeps what the training learned
EXACTLY = 0.99
NEGATES = 1  # role of an entry that turns what follows: "poco" is told as "not"
ALL, NONE = 'all', '-'


def senses(path):
    """Language -> word or phrase as written -> English words, whether any of them will do, and whether these are to stand exactly.
    A word that stands twice has the first ones, or those that are to stand exactly."""
    out = {code: {} for code in LANGUAGES}
    code = None
    for number, line in enumerate(open(path, encoding='utf8'), 1):
        line = line.strip()
        if line.startswith('[') and line.endswith(']'):
            code = line[1:-1]
            if code not in (*LANGUAGES, ALL):
                raise SystemExit(f'{path}:{number}: no language {code}')
        elif line and not line.startswith('#'):
            exact = ' := ' in line
            cells = line.split(' := ' if exact else ' = ')
            if code == ALL and len(cells) == 1 + len(LANGUAGES):
                columns = zip(LANGUAGES, cells[1:])
                english = cells[0].split()
            elif code in LANGUAGES and len(cells) == 2:
                columns = [(code, cells[0])]
                english = cells[1].split()
            else:
                raise SystemExit(f'{path}:{number}: {len(cells)} columns')
            for language, words in columns:
                for word in words.split(', '):
                    if word != NONE:
                        if exact or word not in out[language]:
                            out[language][word] = (english, code == ALL, exact)
    return out


def with_senses(entries, code, told, english):
    """A language's entries with those of `told` (see `senses`) that mean something else, or are missing."""
    rows = {}
    for i, w in enumerate(entries.forms):
        rows[w] = (w, entries.frequency[w], entries.role[i], entries.slots(i))
    changed, approximate = 0, set(entries.approximate)
    for word, folded in zip(told, tokens(list(told), 'foreign')):
        parts = folded.split()
        meant, any_will_do, exact = told[word]
        unknown = [e for e in meant if e not in english.index]
        if not parts or len(parts) > MOST_WORDS or unknown:
            raise SystemExit(f'{code}: {word}: {unknown or parts}')
        form = '_'.join(parts)
        _, frequency, role, before = rows.get(form, (form, max(RARE, zipf_frequency(word, code)), 0, []))
        if exact and meant[0] in NEGATORS:
            role = NEGATES
        # as long as one word: with weights of 1 two words would count for more than one
        slots = [(english.index[e], round(len(meant) ** -0.5 * 50) / 50) for e in meant]
        right = [slots, *([slot] for slot in slots)] if any_will_do else [slots]
        least = EXACTLY if exact else ALIKE
        if max(cosine(meaning(before, english), meaning(r, english)) for r in right) < least:
            before = as_long_as(before, slots, english) if exact and before else slots
            changed += 1
            approximate.discard(form)
        rows[form] = (form, frequency, role, before)
    print(code, len(told), 'words told,', changed, 'changed')
    return Written([rows[w] for w in sorted(rows)], approximate)


def as_long_as(before, slots, english):
    """The slots with the length in a sum that the training gave the word: "leuke" says less than "theewinkel" beside it."""
    scale = np.linalg.norm(meaning(before, english)) / max(1e-9, np.linalg.norm(meaning(slots, english)))
    return [(j, max(0.02, round(min(x * scale, 2.5) * 50) / 50)) for j, x in slots]


def meaning(slots, english):
    return sum((x * english.vectors[j] for j, x in slots), np.zeros(english.vectors.shape[1]))


def cosine(a, b):
    return float(a @ b) / max(1e-9, float(np.linalg.norm(a) * np.linalg.norm(b)))


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--lexicon', default=OUT)
    p.add_argument('--out', default=OUT)
    p.add_argument('--model', default=shipped('server/embed/builtin/embedding.bin'))
    A = p.parse_args()
    english = English(A.model)
    told = senses(os.path.join(HERE, 'review-senses.txt'))
    # rare_words.py may have added English
    languages = {code: with_senses(e, code, told.get(code, {}), english) for code, e in read(A.lexicon).items()}
    write(languages, {code: e.frequency for code, e in languages.items()}, A.out)


if __name__ == '__main__':
    main()
