import { LRUCache } from 'lru-cache'

/**
 * A cache of the most recently used entries, whose memory grows with them. Given `max`, the package reserves memory for all
 * of them at once: 4 to 8 MB and 30 ms in every server and command, however little is searched.
 *
 * @param most number of entries
 * @param options.ttl milliseconds after which an entry is forgotten
 */
export function recentlyUsed<V extends NonNullable<unknown>>(
  most: number,
  options: { ttl?: number } = {},
): LRUCache<string, V> {
  return new LRUCache<string, V>({ ...options, maxSize: most, sizeCalculation: () => 1 })
}
