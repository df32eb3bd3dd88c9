"""Gives words of other languages whose English is rare the meaning that rare_words.py put together for the English word.

    PULLQUOTE_LANGUAGES=folder python rare_translations.py [--lexicon server/embed/builtin/languages.bin] [--out the same]

languages.py learns what a word means from dictionaries and parallel sentences, but only in words of the table. Where the table
lacks a word's English, what is left are the words that it met by chance: "Psychotherapie" was a mob, "Homöopathie" simple.
Of words that are spelled like their English, changes entries that mean none of what the dictionaries say, and their inflected
forms, and adds those that are missing. Without that condition half of the changes that were read were wrong ("plats" became wavy).
They are told from the others in the file: near to "heroin" is not the word, as which a text search would look "Morphium" up.
What review-words.txt and review-senses.txt tell stays. Runs after rare_words.py; running it twice changes nothing more.
"""

import argparse
import collections
import difflib
import os

import simplemma
from wordfreq import top_n_list, zipf_frequency

from dictionaries import lexicon, wiktionary, wordnet
from features import HERE, shipped
from languages import LANGUAGES, OUT, SPOKEN, English, Written, ours, read, tokens, write
from rare_words import CODE
from senses import cosine, meaning, senses

FAR = 0.3  # cosine below which an entry means none of what the dictionaries say
ALIKE = 0.45  # from which a form means what its lemma does
LEAST_ZIPF = 1.5  # of an entry that is added
SHARE = 0.5  # of what the dictionaries say of a word: its rare English
MOST_FEATURES = 6  # of two rare words in a row
LEAST_LENGTH = 5  # of a cognate
ALMOST = 0.7  # share of a cognate's letters that its English has in the same order
# what a cognate has in place of the letters of English, as far as folding leaves it
SPELLINGS = (
    *(('ph', 'f'), ('th', 't'), ('ch', 'k'), ('ck', 'k'), ('c', 'k'), ('qu', 'k'), ('z', 'k')),
    *(('y', 'i'), ('ae', 'e'), ('oe', 'o'), ('j', 'i')),
)


def said(code, synsets):
    """Form (tokens joined by _) -> English tokens -> what speaks for them."""
    out = collections.defaultdict(collections.Counter)
    pairs = wiktionary(code)
    for lemma, of in lexicon(LANGUAGES[code], synsets).items():
        total = sum(of.values())
        pairs += [(lemma, english, weight / total) for english, weight in of.most_common(8)]
    left, right = tokens([a for a, _, _ in pairs], 'foreign'), tokens([b for _, b, _ in pairs], 'columns')
    for a, b, (_, _, weight) in zip(left, right, pairs):
        if a and b and ' ' not in a:
            out[a][tuple(b.split())] += weight
    return out


class Meanings:
    """English words as features of the table, rare ones as well."""

    def __init__(self, english, rare):
        self.english = english
        self.rare = {w: rare.slots(i) for i, w in enumerate(rare.forms)}

    def of(self, words):
        """Slots, and whether one of the words is rare; None where one is unknown."""
        slots, is_rare = collections.Counter(), False
        for word in words:
            known = self.english.index.get(word)
            if known is None and word not in self.rare:
                return None
            is_rare |= known is None
            for j, x in self.rare[word] if known is None else [(known, 1.0)]:
                slots[j] += x
        most = sorted(slots.items(), key=lambda s: -abs(s[1]))[:MOST_FEATURES]
        scale = len(words) ** -0.5
        return [(j, round(min(max(x * scale, -2.5), 2.5) * 50) / 50) for j, x in most], is_rare


def is_cognate(form, words):
    """Whether a word is spelled like its English: "homoopathie", "homeopathy"."""
    a, b = spelled(form), spelled(''.join(words))
    return a[:2] == b[:2] and len(a) >= LEAST_LENGTH and difflib.SequenceMatcher(None, a, b).ratio() >= ALMOST


def spelled(word):
    for theirs, plain in SPELLINGS:
        word = word.replace(theirs, plain)
    return word


def with_rare(code, entries, dictionary, told, meanings):
    """A language's entries with those that only rare English says."""
    english = meanings.english
    rows = {w: (w, entries.frequency[w], entries.role[i], entries.slots(i)) for i, w in enumerate(entries.forms)}
    zipf, lemma_of = forms(code)
    new = {}
    for form, of in dictionary.items():
        if form in told or not form.isalpha():
            continue
        found = [(weight, words, meanings.of(words)) for words, weight in of.most_common(10)]
        ways = [(weight, *way, words) for weight, words, way in found if way]
        rare = [(weight, slots) for weight, slots, is_rare, words in ways if is_rare and is_cognate(form, words)]
        if not rare or sum(w for w, _ in rare) < SHARE * sum(w for w, *_ in ways):
            continue
        if form in rows and rows[form][1] < SPOKEN:
            before = meaning(rows[form][3], english)
            if max(cosine(before, meaning(slots, english)) for _, slots, *_ in ways) < FAR:
                new[form] = rare[0][1]
        elif form not in rows and zipf.get(form, 0) >= LEAST_ZIPF:
            new[form] = rare[0][1]
    changed = sum(form in rows for form in new)
    # what the dictionaries say of a form itself holds
    inflected = {}
    for form, lemma in lemma_of.items():
        if lemma in new and form not in new and form not in told and form not in dictionary:
            before = rows.get(form)
            if before is None or before[1] < SPOKEN and cosine(meaning(before[3], english), meaning(new[lemma], english)) < ALIKE:
                inflected[form] = new[lemma]
    for form, slots in {**inflected, **new}.items():
        _, frequency, role, _ = rows.get(form, (form, max(LEAST_ZIPF, zipf.get(form, 0)), 0, None))
        rows[form] = (form, frequency, role, slots)
    print(code, changed, 'changed,', len(new) - changed, 'added,', len(inflected), 'of their forms')
    return Written([rows[w] for w in sorted(rows)], {*entries.approximate, *inflected, *new})


def forms(code):
    """Form -> its Zipf frequency, and form -> its lemma, folded as the tokenizer folds them."""
    words = [w for w in top_n_list(code, 200_000, 'large') if w.isalpha()]
    lemmas = [simplemma.lemmatize(w, lang=code) for w in words]
    zipf, lemma_of = {}, {}
    for word, form, lemma in zip(words, tokens(words, 'foreign'), tokens(lemmas, 'foreign')):
        zipf.setdefault(form, zipf_frequency(word, code, 'large'))
        if lemma != form:
            lemma_of.setdefault(form, lemma)
    return zipf, lemma_of


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--lexicon', default=OUT)
    p.add_argument('--out', default=OUT)
    p.add_argument('--model', default=shipped('server/embed/builtin/embedding.bin'))
    A = p.parse_args()
    english = English(A.model)
    languages = read(A.lexicon)
    meanings = Meanings(english, languages[CODE])
    synsets = wordnet()
    lists = senses(os.path.join(HERE, 'review-senses.txt'))
    for code in LANGUAGES:
        told = {*ours(code), *tokens(list(lists[code]), 'foreign')}
        languages[code] = with_rare(code, languages[code], said(code, synsets), told, meanings)
    write(languages, {code: e.frequency for code, e in languages.items()}, A.out)


if __name__ == '__main__':
    main()
