import { OPERATOR_LIST_LIMIT } from '../contract/limits.ts'
import { ApiError } from './errors.ts'
import type { QueryParameters } from './transport.ts'

/** A page of a list, with the items under the list's name. */
type Page<K extends string, T> = Record<K, T[]> & { next_cursor: string | null }
type ReadPage<K extends string, T> = (query: QueryParameters) => Promise<Page<K, T>>

/** The first items of one of the operator's lists, and whether there are more. */
export async function readFirstPage<K extends string, T>(name: K, read: ReadPage<K, T>, limit: number) {
  const { [name]: items, next_cursor } = await readPage(read, { limit })
  // A server that predates paging returns everything.
  return { items: items.slice(0, limit), more: next_cursor !== null || items.length > limit }
}

/** Reads one of the operator's lists completely, page by page. */
export async function readAllPages<K extends string, T>(name: K, read: ReadPage<K, T>): Promise<T[]> {
  const all: T[] = []
  let cursor: string | undefined
  do {
    const page: Page<K, T> = await readPage(read, { limit: OPERATOR_LIST_LIMIT.max, cursor })
    for (const item of page[name]) all.push(item)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return all
}

async function readPage<K extends string, T>(read: ReadPage<K, T>, query: QueryParameters): Promise<Page<K, T>> {
  try {
    return await read(query)
  } catch (error) {
    const isBeforePages = error instanceof ApiError && error.details.some(({ path }) => path === 'limit')
    if (!isBeforePages) throw error
    return read({})
  }
}
