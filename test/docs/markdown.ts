export interface Block {
  /** The word behind the opening fence: `sh`, `json` …; empty for none. */
  language: string
  text: string
  /** Line of the opening fence, from 1. */
  line: number
}

/** The fenced blocks of a page, in order. @throws when a fence is never closed */
export function fencedBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: { language: string; line: number; lines: string[] } | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^```(\w*)/.exec(line)
    if (open === undefined) {
      if (fence) open = { language: fence[1] ?? '', line: index + 1, lines: [] }
    } else if (fence) {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join('\n') })
      open = undefined
    } else open.lines.push(line)
  }
  if (open) throw new Error(`the block of line ${open.line} is never closed`)
  return blocks
}
