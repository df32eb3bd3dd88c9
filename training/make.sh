#!/bin/sh
# From data to the shipped files: server/embed/builtin/embedding.bin, off-domain.bin and languages.bin, and
# server/sentiment/sentiment.bin.
#
#   PULLQUOTE_CORPUS=../../shared/corpus TEACHER=path/to/all-MiniLM-L6-v2 training/make.sh
#
# Needs Node >= 20.19 with the project's packages, Python 3.11 with requirements.txt, gcc, xz. 2.3 GB of memory,
# 2 GB of disk in training/.work; about two hours on two cores that are busy with other things.
#
#   PULLQUOTE_ENGLISH=folder    WordNet, GloVe and a list of words (training/README.md); without it languages.bin has no rare English words
#   PULLQUOTE_LANGUAGES=folder  the dictionaries and parallel sentences of training/README.md; without it languages.bin stays as it is
#   PULLQUOTE_OUT=folder   writes the files there, to be measured before they replace the shipped ones
#   SMALL=1                a twentieth of the reviews and a few steps: shows in minutes that everything runs; its files are
#                          no good and go to the work folder unless PULLQUOTE_OUT says otherwise
#   THREADS=1              makes skip-gram, and with it all, repeat to the bit
set -eu
cd "$(dirname "$0")"
: "${PULLQUOTE_CORPUS:=../../shared/corpus}" "${THREADS:=2}" "${PYTHON:=python3}" "${SMALL:=}"
: "${TEACHER:?the folder of all-MiniLM-L6-v2 (model.safetensors, tokenizer.json); see training/README.md}"
export PULLQUOTE_CORPUS PULLQUOTE_WORK="${PULLQUOTE_WORK:-$PWD/.work${SMALL:+.small}}"
export OMP_NUM_THREADS="$THREADS" OPENBLAS_NUM_THREADS="$THREADS" NUMBA_NUM_THREADS="$THREADS"
W="$PULLQUOTE_WORK"
if [ "$SMALL" ]; then
  parts='0 1' of=40 epochs=1 texts=4000 runs='1 2' steps=20 doubt=20 mend=10 threshold= align='--only it,nl --steps 5'
  export PULLQUOTE_OUT="${PULLQUOTE_OUT:-$W/out}"
else
  parts='0 1' of=2 epochs=2 texts=100000 runs='1 2 3 4 5 6' steps=2400 doubt=520 mend=300 align='--steps 400'
  # confidence.py finds .414; bench:relevance, which embeds unknown words as well, .42
  threshold='--threshold 0.42'
fi
mkdir -p "$W"
tokenize() { (cd .. && node --import tsx training/tokenize.ts "$@"); }
stage() { echo "== $(date +%H:%M:%S) $*"; }

stage 'tokens, by the product'\''s own tokenizer'
for part in $parts; do
  xz -dc "$PULLQUOTE_CORPUS/reviews.jsonl.xz" | tokenize reviews "$part" "$of" > "$W/reviews.$part.tsv"
done
for file in "$PULLQUOTE_CORPUS"/pairs/*.tsv.xz; do
  xz -dc "$file" | tokenize columns > "$W/pairs.$(basename "$file" .tsv.xz).tsv"
done
# what the development sets are made of teaches nothing (kept_out.py says what that is)
$PYTHON kept_out.py

stage 'sentiment: measured on four files kept out, then trained on everything'
$PYTHON sentiment.py try
$PYTHON sentiment.py ship

stage 'word vectors to start from'
$PYTHON vocabulary.py
gcc -O3 -march=native -ffast-math -pthread skipgram.c -o "$W/skipgram" -lm
"$W/skipgram" "$W/ids.bin" "$W/cnt.bin" "$($PYTHON -c "print(len(open('$W/names.txt').read().split('\n')))")" 256 5 "$epochs" 5 1e-4 "$THREADS" "$W/sgns.bin"

stage 'pairs from the reviews'
$PYTHON mine.py
stage 'vectors of the teacher'
$PYTHON teach.py --teacher "$TEACHER" --limit "$texts" --threads "$THREADS"

stage 'runs that differ in seed, temperature, tone margin, the teacher'\''s weight and optimiser; their mean is the model'
run() {
  case " $runs " in *" $1 "*) ;; *) return 0 ;; esac
  name=$1
  shift
  $PYTHON train.py --name "$name" --steps "$steps" --gain 0.02 "$@"
}
run 1 --seed 5 --teach 0.4 --margin 1.1 --group 32
run 2 --seed 6 --teach 0.5 --margin 1.3 --group 32 --near 2 --beta 0
run 3 --seed 7 --teach 0.4 --margin 1.1 --group 16
run 4 --seed 8 --teach 0.6 --margin 1.3 --group 32 --near 2 --beta 0 --tau 0.15 --more quora:1.5,nli:1.2,sts:0.2
run 5 --seed 9 --teach 0.5 --margin 1.3 --group 32 --near 1 --tau 0.18
run 6 --seed 10 --teach 0.5 --margin 1.5 --group 32 --near 2 --beta 0 --tau 0.18
stage 'tone, doubt, calibration, the file'
$PYTHON confidence.py --models "$(echo $runs | tr ' ' ,)" --steps "$doubt"
$PYTHON export.py $threshold
$PYTHON mend.py --steps "$mend"
$PYTHON turn.py
[ -z "${PULLQUOTE_ENGLISH:-}" ] || $PYTHON lengthen.py
$PYTHON off_domain.py
if [ "${PULLQUOTE_LANGUAGES:-}" ]; then
  stage 'words of other languages'
  [ -f "$PULLQUOTE_LANGUAGES/tatoeba/apertium-pt.txt" ] || $PYTHON apertium.py
  $PYTHON languages.py $align
  $PYTHON senses.py
fi
if [ "${PULLQUOTE_ENGLISH:-}" ]; then
  stage 'English words that reviews hardly say'
  $PYTHON rare_words.py
  if [ "${PULLQUOTE_LANGUAGES:-}" ]; then $PYTHON rare_translations.py; fi
fi
stage 'done'
