/** `1,030` */
export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

/** `1 review`, `1,030 reviews` */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`
}
