import { readFileSync } from 'node:fs'
import { cosineOf } from '../../server/embed/calibrate.ts'
import type { Embedder } from '../../server/embed/embedder.ts'
import { thresholdsOf } from '../../server/search/policy.ts'
import { DEFAULT_SIMILARITY_FLOOR } from '../../src/contract/limits.ts'

/** Sentences of a review that names a thing; a heading has one of them, by turns. */
const SENTENCES: Record<string, ((thing: string) => string)[]> = {
  en: [
    (thing) => `We love the ${thing} we bought here.`,
    (thing) => `The ${thing} arrived quickly and works as described, good quality.`,
    (thing) => `Great selection of ${thing} and helpful staff.`,
  ],
  de: [
    (thing) => `Wir lieben unsere ${thing} von hier.`,
    (thing) => `${thing} kam schnell an und funktioniert wie beschrieben, gute Qualität.`,
    (thing) => `Große Auswahl an ${thing} und hilfsbereites Personal.`,
  ],
  fr: [
    (thing) => `Nous adorons nos ${thing} achetés ici.`,
    (thing) => `Les ${thing} sont arrivés vite et conformes à la description, bonne qualité.`,
    (thing) => `Grand choix de ${thing} et personnel serviable.`,
  ],
  es: [
    (thing) => `Nos encantan los ${thing} que compramos aquí.`,
    (thing) => `Los ${thing} llegaron rápido y son como se describen, buena calidad.`,
    (thing) => `Gran selección de ${thing} y personal amable.`,
  ],
  it: [
    (thing) => `Adoriamo i ${thing} che abbiamo comprato qui.`,
    (thing) => `I ${thing} sono arrivati in fretta e come descritti, buona qualità.`,
    (thing) => `Grande scelta di ${thing} e personale disponibile.`,
  ],
  nl: [
    (thing) => `We zijn dol op de ${thing} die we hier kochten.`,
    (thing) => `De ${thing} kwam snel aan en werkt zoals beschreven, goede kwaliteit.`,
    (thing) => `Grote keuze aan ${thing} en behulpzaam personeel.`,
  ],
  pt: [
    (thing) => `Adoramos os ${thing} que compramos aqui.`,
    (thing) => `Os ${thing} chegaram rápido e são como descritos, boa qualidade.`,
    (thing) => `Grande seleção de ${thing} e funcionários prestativos.`,
  ],
}

export interface HeadingsFigures {
  headings: number
  /** How many are below the floor against a sentence that has them word for word: only the word tier shows it. */
  belowFloor: number
  /** How many are below the word tier as well, so that nothing is shown. */
  silent: number
  /** The lowest, for reading. */
  lowest: { heading: string; cosine: number }[]
}

/**
 * Headings of other people's pages, one a line of a file, over made-up sentences that have them word for word.
 * @param language of both: en, de, fr, es, it, nl or pt
 * @param isTold whether the model is told that the excerpts are in it
 */
export async function measureHeadings(
  embedder: Embedder,
  path: string,
  language: string,
  isTold: boolean,
): Promise<HeadingsFigures> {
  const sentences = SENTENCES[language]
  if (!sentences) throw new Error(`--language is one of ${Object.keys(SENTENCES).join(', ')}`)
  const headings = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const found: HeadingsFigures['lowest'] = []
  for (const [i, heading] of headings.entries()) {
    const sentence = sentences[i % sentences.length]?.(language === 'de' ? heading : heading.toLowerCase()) ?? ''
    const [query = []] = await embedder.embed([heading], 'query', undefined, isTold ? [language] : [])
    const [document = []] = await embedder.embed([sentence], 'document')
    found.push({ heading, cosine: cosineOf(query, document) })
  }
  found.sort((a, b) => a.cosine - b.cosine)
  const { floor, wordTier } = thresholdsOf(DEFAULT_SIMILARITY_FLOOR)
  const below = (threshold: number) => found.filter(({ cosine }) => cosine < threshold).length
  return {
    headings: headings.length,
    belowFloor: below(floor),
    silent: below(wordTier),
    lowest: found.slice(0, 40),
  }
}
