"""Tatoeba's everyday sentences with their English, from what public repositories hold of them (training/README.md)."""

import collections
import glob
import json
import os

DATA = os.environ.get('PULLQUOTE_LANGUAGES', '')
FEW = {'it': 10, 'pt': 20}  # how often a sentence counts where there are few
GLOSSED = 5  # and one whose English is put together word by word


def _lines(path):
    return open(path, encoding='utf-8-sig').read().replace('\r', '').split('\n') if os.path.exists(path) else []


def _rows(path, columns):
    rows = ([cell.strip() for cell in line.split('\t')] for line in _lines(path))
    return [row for row in rows if len(row) >= columns]


def italian_and_dutch():
    """(Italian, Dutch) sentences; no list of Italian and English ones was found."""
    return [(row[1], row[3]) for row in _rows(f'{DATA}/tatoeba/it-nl.tsv', 4)]


def everyday(code, gloss):
    """(how often it counts, sentence, English): Italian ones by way of the Dutch ones that they are paired with,
    Portuguese ones also as `apertium.py` made them of Spanish, each once.

    @param gloss Dutch sentences -> each in English word by word, '' where a word is not known
    """
    found = [(row[1], row[0]) for row in _rows(f'{DATA}/tatoeba/{code}.txt', 2)]
    for path in sorted(glob.glob(f'{DATA}/tatoeba/{code}-*.json')):
        found += [(row['pt-BR'].strip(), row['en-US'].strip()) for row in json.load(open(path, encoding='utf8'))]
    if code != 'it':
        machine = [(1, row[1], row[0]) for row in _rows(f'{DATA}/tatoeba/apertium-{code}.txt', 2)]
        return [(FEW.get(code, 1), a, b) for a, b in dict.fromkeys(found) if a and b] + machine
    english = collections.defaultdict(list)
    for row in _rows(f'{DATA}/tatoeba/nl.txt', 2):
        english[row[1]].append(row[0])
    pairs = list(dict.fromkeys(italian_and_dutch()))
    found += [(italian, meaning) for italian, dutch in pairs for meaning in dict.fromkeys(english.get(dutch, ()))]
    rest = [(italian, dutch) for italian, dutch in pairs if dutch not in english]
    glossed = [(italian, words) for (italian, _), words in zip(rest, gloss([d for _, d in rest])) if ' ' in words]
    return [(FEW[code], *p) for p in dict.fromkeys(found)] + [(GLOSSED, *p) for p in glossed]
