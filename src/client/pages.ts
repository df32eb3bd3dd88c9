import { OPERATOR_LIST_LIMIT } from '../contract/limits.ts'
import { ApiError } from './errors.ts'

interface Page<T> {
  items: T[]
  next_cursor: string | null
}

/** The first items of one of the operator's lists, and whether there are more. */
export async function firstOf<T>(read: (query: URLSearchParams) => Promise<Page<T>>, limit: number) {
  const { items, next_cursor } = await readPage(read, { limit: String(limit) })
  // A server before pages has answered all.
  return { items: items.slice(0, limit), more: next_cursor !== null || items.length > limit }
}

/** One of the operator's lists as a whole, page by page. */
export async function allOf<T>(read: (query: URLSearchParams) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = []
  let cursor: string | null = null
  do {
    const page: Page<T> = await readPage(read, {
      limit: String(OPERATOR_LIST_LIMIT.max),
      ...(cursor === null ? {} : { cursor }),
    })
    for (const item of page.items) all.push(item)
    cursor = page.next_cursor
  } while (cursor !== null)
  return all
}

async function readPage<T>(
  read: (query: URLSearchParams) => Promise<Page<T>>,
  parameters: { limit: string; cursor?: string },
): Promise<Page<T>> {
  try {
    return await read(new URLSearchParams(parameters))
  } catch (error) {
    const isBeforePages = error instanceof ApiError && error.details.some(({ path }) => path === 'limit')
    if (!isBeforePages) throw error
    return read(new URLSearchParams())
  }
}
