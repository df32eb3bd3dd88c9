import { hashOfText } from './fnv.ts'
import type { TokenBuffer } from './token-buffer.ts'

/** A page's own things. A guest who writes "our evening" means other people. */
const OURS = `
  our unser unsere unserem unseren unserer unseres notre nos nuestro nuestra nuestros nuestras nostro nostra nostri nostre onze
  nosso nossa nossos nossas`
/** What a heading begins with to make its readers look. */
const INVITES = `
  discover explore entdecken entdecke entdeckt venez decouvrez decouvre decouvrir explorez profitez descubre descubra descubrid
  explora explore disfruta disfrute scopri scoprite scopra esplora ontdek verken conheca`
/** The same before an article or a possessive only: "view to the sea", "visit to a museum" and "visita guiada" are topics. */
const MAY_INVITE = `
  visit meet enjoy experience browse shop view see taste try besuchen besuche erleben erlebe geniessen geniesse visitez vivez
  rencontrez goutez visita visite conoce conozca visitate conosci bezoek beleef geniet`
const DETERMINERS = `
  the your an sie der die das den dem ein eine einen ihr ihre ihren le la les l un une vos votre el los las lo una tu su il gli
  i het een je uw o os as`
/** The same before a preposition: "welcome drink" is a topic. */
const WELCOMES = `
  welcome willkommen bienvenue bienvenido bienvenidos bienvenida bienvenidas benvenuto benvenuti benvenuta benvenute welkom`
const PREPOSITIONS = 'to at aboard in im bei zu auf a al au aux chez dans sur en nel nella alla all bij op aan'
/** The rest of such a beginning: "Entdecken Sie", "Welcome to". */
const FILLERS = 'sie to'

/** The words of a heading that are the page's way to speak, which no review has in its place: "Discover our spa". */
export class PageVoice {
  /** 1 for each token that is one of them. */
  marked = new Uint8Array(64)
  readonly #ours = hashesOf(OURS)
  readonly #invites = hashesOf(INVITES)
  readonly #mayInvite = hashesOf(MAY_INVITE)
  readonly #determiners = hashesOf(`${DETERMINERS} ${OURS}`)
  readonly #welcomes = hashesOf(WELCOMES)
  readonly #prepositions = hashesOf(PREPOSITIONS)
  readonly #fillers = hashesOf(FILLERS)

  /** Marks them, unless there are no others. @param isHeading none is marked in a question or a review */
  mark({ hashes }: TokenBuffer, count: number, isHeading: boolean): void {
    if (this.marked.length < count) this.marked = new Uint8Array(count * 2)
    this.marked.fill(0, 0, count)
    if (!isHeading) return
    const at = (i: number) => hashes[i] ?? 0
    let begin = 0
    while (begin + 1 < count && this.#isInviting(at(begin), at(begin + 1))) {
      this.marked[begin++] = 1
      if (this.#fillers.has(at(begin))) this.marked[begin++] = 1
    }
    let left = 0
    for (let i = 0; i < count; i++) {
      if (this.#ours.has(at(i))) this.marked[i] = 1
      left += 1 - (this.marked[i] ?? 0)
    }
    if (left === 0) this.marked.fill(0, 0, count)
  }

  #isInviting(word: number, next: number): boolean {
    return (
      this.#invites.has(word) ||
      (this.#mayInvite.has(word) && this.#determiners.has(next)) ||
      (this.#welcomes.has(word) && this.#prepositions.has(next))
    )
  }
}

const hashesOf = (words: string): ReadonlySet<number> => new Set(words.trim().split(/\s+/).map(hashOfText))
