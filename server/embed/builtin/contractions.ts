import { hashOfText } from './fnv.ts'
import { toUnits } from './folding.ts'

/** Contractions, also as typed without the apostrophe, and their meaning. */
export const CONTRACTIONS = new Map<number, { word: Uint16Array; means: Uint16Array[] }>()
for (const line of [
  "can't=can not,won't=will not,shan't=shall not,ain't=is not,cannot=can not,cant=can not,wont=will not,aint=is not",
  'dont=do not,didnt=did not,doesnt=does not,isnt=is not,wasnt=was not,couldnt=could not,wouldnt=would not',
  'havent=have not,arent=are not,werent=were not,hasnt=has not,hadnt=had not,shouldnt=should not,im=i,ive=i',
  'didn=did not,doesn=does not,isn=is not,wasn=was not,couldn=could not,wouldn=would not,aren=are not,weren=were not',
  'hasn=has not,hadn=had not,shouldn=should not,checkin=check in',
]) {
  for (const rule of line.split(',')) {
    const [word = '', means = ''] = rule.split('=')
    CONTRACTIONS.set(hashOfText(word), { word: toUnits(word), means: means.split(' ').map(toUnits) })
  }
}

/** French, Italian and Catalan elisions: l' d' j' c' n' m' t'. */
export function isElision(unit: number | undefined): boolean {
  return unit === 108 || unit === 100 || unit === 106 || unit === 99 || unit === 110 || unit === 109 || unit === 116
}
