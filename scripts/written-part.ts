/** A page with what stands between two of its marks written anew. @throws {Error} where the page has lost them */
export function withWrittenPart(page: string, begin: string, end: string, part: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page has lost its marks ${begin} and ${end}`)
  return `${page.slice(0, from)}${begin}\n\n${part}\n\n${page.slice(to)}`
}
