import type { Operator } from '../../client/operator.ts'
import type { ListedKey } from '../../contract/key.ts'
import { CliError, usageError } from '../errors/failure.ts'
import { matchingIds, SHORTEST_ID } from '../output/short-id.ts'
import { describeKey } from './table.ts'

/**
 * The key of that id, or whose id begins so. One that is revoked is not found: nothing is left to do with it.
 *
 * @throws {CliError} `not_found`, or usage where several begin so
 */
export async function findKey(operator: Pick<Operator, 'keys'>, given: string): Promise<ListedKey> {
  const alike = matchingIds(await operator.keys(), given)
  const open = alike.filter((key) => key.revoked_at === null)
  const [found, ...others] = open
  if (found && others.length === 0) return found
  if (found) throw usageError(`several keys begin with ${given}`, `name one of: ${open.map(({ id }) => id).join(', ')}`)
  const list = 'see the ids with: pullquote keys list'
  if (given.length < SHORTEST_ID) {
    throw usageError(`"${given}" is too short: give four letters of the key's id at least`, list)
  }
  const [revoked] = alike
  throw new CliError(revoked ? `the key ${describeKey(revoked)} is revoked already` : `there is no key ${given}`, {
    code: 'not_found',
    hints: [list, 'make a new key with: pullquote keys create'],
  })
}
