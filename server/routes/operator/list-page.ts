import type { OperatorListRequest } from '../../../src/contract/operator-list.ts'
import { invalidCursor } from '../../http/api-error.ts'
import { type CursorScope, readCursor, writeCursor } from '../../http/cursor.ts'
import type { ListPage } from '../../sql/list-page.ts'

/** Meanings of the paging parameters, for the API description. */
export const PAGE_MEANINGS = {
  limit: 'Page size; all unless given.',
  cursor: '`next_cursor` of the page before.',
}

/**
 * A page of one of the operator's lists; all of it without a limit.
 * @param scope identifies the list
 * @throws {ApiError} for a cursor of another list
 */
export async function readListPage<T extends { id: string; created_at: string }>(
  scope: CursorScope,
  { cursor, limit }: OperatorListRequest,
  secret: Uint8Array,
  read: (page: ListPage) => Promise<T[]>,
): Promise<{ page: T[]; next_cursor: string | null }> {
  const position = cursor === undefined ? undefined : readCursor(cursor, scope, secret)
  if (cursor !== undefined && !position?.at) throw invalidCursor()
  const after = position?.at ? { at: position.at, id: position.id } : undefined
  // One more than requested tells whether there is another page.
  const found = await read({ limit: limit === undefined ? undefined : limit + 1, after })
  const page = limit === undefined ? found : found.slice(0, limit)
  const last = page.length < found.length ? page.at(-1) : undefined
  const end = last && { at: new Date(last.created_at), id: last.id }
  return { page, next_cursor: end ? writeCursor(end, scope, secret) : null }
}
