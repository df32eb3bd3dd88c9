/** Replaces the section between two markers of a page. @throws {Error} when the markers are missing */
export function replaceSection(page: string, begin: string, end: string, section: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page has lost its marks ${begin} and ${end}`)
  return `${page.slice(0, from)}${begin}\n\n${section}\n\n${page.slice(to)}`
}
