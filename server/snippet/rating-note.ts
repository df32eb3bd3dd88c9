/** What of a project's policy a reader should know who sees a selection of its reviews. */
export interface DisplayPolicy {
  minRating: number
  /** Sentences that complain are left out of the reviews that are shown. */
  withoutComplaints?: boolean
}

/** Words of the note: for all ratings, for `#` stars and more, for five alone; and what follows where complaints are left out. */
type Words = Record<'any' | 'from' | 'five' | 'complaints', string>

const WORDS: Record<string, Words> = {
  en: {
    any: 'Showing reviews of any rating, and unrated ones that are not negative',
    from: 'Showing reviews of # stars and more, and unrated ones that are not negative',
    five: 'Showing reviews of 5 stars, and unrated ones that are not negative',
    complaints: 'passages that complain are left out',
  },
  de: {
    any: 'Gezeigt werden Bewertungen jeder Sternzahl, und solche ohne Sterne, die nicht negativ sind',
    from: 'Gezeigt werden Bewertungen ab # Sternen, und solche ohne Sterne, die nicht negativ sind',
    five: 'Gezeigt werden Bewertungen mit 5 Sternen, und solche ohne Sterne, die nicht negativ sind',
    complaints: 'Stellen, die etwas bemängeln, sind ausgelassen',
  },
  fr: {
    any: 'Avis affichés : toutes les notes, et ceux sans note qui ne sont pas négatifs',
    from: 'Avis affichés : # étoiles et plus, et ceux sans note qui ne sont pas négatifs',
    five: 'Avis affichés : 5 étoiles, et ceux sans note qui ne sont pas négatifs',
    complaints: 'les passages critiques ne sont pas repris',
  },
  es: {
    any: 'Se muestran opiniones de cualquier puntuación, y las que no tienen estrellas si no son negativas',
    from: 'Se muestran opiniones de # estrellas o más, y las que no tienen estrellas si no son negativas',
    five: 'Se muestran opiniones de 5 estrellas, y las que no tienen estrellas si no son negativas',
    complaints: 'se omiten los pasajes con quejas',
  },
  it: {
    any: 'Sono mostrate recensioni di ogni punteggio, e quelle senza stelle che non sono negative',
    from: 'Sono mostrate recensioni da # stelle in su, e quelle senza stelle che non sono negative',
    five: 'Sono mostrate recensioni da 5 stelle, e quelle senza stelle che non sono negative',
    complaints: 'i passaggi critici sono omessi',
  },
  nl: {
    any: 'Getoond worden beoordelingen met elke score, en die zonder sterren die niet negatief zijn',
    from: 'Getoond worden beoordelingen vanaf # sterren, en die zonder sterren die niet negatief zijn',
    five: 'Getoond worden beoordelingen met 5 sterren, en die zonder sterren die niet negatief zijn',
    complaints: 'passages met klachten zijn weggelaten',
  },
  pt: {
    any: 'São mostradas avaliações de qualquer classificação, e as sem estrelas que não são negativas',
    from: 'São mostradas avaliações de # estrelas ou mais, e as sem estrelas que não são negativas',
    five: 'São mostradas avaliações de 5 estrelas, e as sem estrelas que não são negativas',
    complaints: 'as passagens com queixas são omitidas',
  },
}

/**
 * The line below the reviews that says which are shown, and its language. Reviews without stars stand beside the others
 * unless they were classified as negative, so every policy leaves something out.
 *
 * @param language BCP 47 tag; the note is English where there are no words for it
 */
export function ratingNote(policy: DisplayPolicy, language = 'en'): { note: string; lang: string } {
  const { minRating, withoutComplaints } = policy
  const primary = language.slice(0, 2).toLowerCase()
  const lang = /^[a-z]{2}\b/i.test(language) && Object.hasOwn(WORDS, primary) ? primary : 'en'
  const words = WORDS[lang] as Words
  const shown = minRating <= 1 ? words.any : minRating >= 5 ? words.five : words.from
  const note = shown.replace('#', String(minRating)) + (withoutComplaints ? `; ${words.complaints}` : '')
  return { note, lang }
}
