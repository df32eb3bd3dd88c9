import type { Vocabulary } from './vocabulary.ts'

/**
 * Qualities as a page's heading names them, and as reviews say them of a thing or a person. The trained vectors of the two are
 * only .45 to .85 similar ("spaciousness" and "spacious" .58), so that the noun alone missed most of such reviews.
 */
const QUALITIES = `
  accessibility accessible|accuracy accurate|affordability affordable|attentiveness attentive|authenticity authentic
  availability available|brightness bright|calmness calm|charm charming|cleanliness clean|closeness close
  clarity clear|comfort comfortable|compassion compassionate|compatibility compatible|competence competent|competency competent
  consistency consistent|convenience convenient|coolness cool|coziness cozy|creaminess creamy
  creativity creative|crispiness crispy|crispness crisp|courtesy courteous|dependability dependable|diligence diligent
  discretion discreet|diversity diverse|durability durable|ease easy|easiness easy|effectiveness effective|efficiency efficient
  elegance elegant|empathy empathetic|enthusiasm enthusiastic|excellence excellent|expertise expert knowledgeable|fairness fair
  firmness firm|flexibility flexible|freshness fresh|friendliness friendly|functionality functional|generosity generous
  happiness happy|helpfulness helpful|honesty honest|hospitality hospitable welcoming|hygiene hygienic clean
  ingenuity ingenious|integrity honest|intelligence intelligent|juiciness juicy|kindness kind|knowledge knowledgeable
  lightness light|liveliness lively|modernity modern|openness open|originality original
  passion passionate|patience patient|peacefulness peaceful|politeness polite|popularity popular|portability portable
  practicality practical|precision precise|privacy private|professionalism professional|promptness prompt
  punctuality punctual|purity pure|quickness quick|quietness quiet|readiness ready|relaxation relaxing
  reliability reliable|relevance relevant|responsibility responsible|responsiveness responsive|richness rich|romance romantic
  roominess roomy|safety safe|security secure|sensitivity sensitive|seriousness serious|sharpness sharp|silence silent
  simplicity simple|sincerity sincere|smoothness smooth|softness soft|spaciousness spacious|speed fast|spiciness spicy
  spontaneity spontaneous|stability stable|strength strong|sustainability sustainable|sweetness sweet
  taste tasty|tenderness tender|thoroughness thorough|thoughtfulness thoughtful|timeliness timely|tranquility tranquil
  tranquillity tranquil|transparency transparent|trust trustworthy|uniqueness unique|usability usable|usefulness useful
  versatility versatile|visibility visible|warmth warm|willingness willing`

/** Words after which a quality is named for itself, unlike "comfort" in "comfort food". */
const BEHIND = 'and or but of in on at for with without from by to as is are was were'

/** The adjectives of qualities, all by their rows in a table. */
export class Qualities {
  readonly #adjectives: ReadonlyMap<number, readonly number[]>
  readonly #behind: ReadonlySet<number>

  constructor(words: Vocabulary) {
    this.#behind = new Set(words.places(BEHIND.split(' ')))
    const adjectives = new Map<number, readonly number[]>()
    for (const pair of QUALITIES.trim().split(/[|\n]/)) {
      const [noun = '', ...said] = pair.trim().split(' ')
      const row = words.place(noun)
      // a rare noun has no row of its own
      if (row >= 0) adjectives.set(row, words.places(said))
    }
    this.#adjectives = adjectives
  }

  /** None for a word that is no quality. */
  of(noun: number): readonly number[] {
    return this.#adjectives.get(noun) ?? []
  }

  /** Whether a word before this one may name a quality. */
  mayStandBefore(next: number): boolean {
    return this.#behind.has(next)
  }
}
