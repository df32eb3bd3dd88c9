import type { DueProject } from '../sql/queue/due.ts'
import type { DueProjectFinder } from './due-project-finder.ts'

/** How long a list of projects is reused, and so the longest that a push into another project waits for it. */
const LIST_MS = 100

/**
 * Chooses the project to claim from: the one whose last turn in this process is longest ago, so that a project with a few
 * reviews does not wait behind the backlog of another.
 */
export class ProjectRotation {
  readonly #finder: Pick<DueProjectFinder, 'due'>
  #list: DueProject[] = []
  #read = Number.NEGATIVE_INFINITY
  #turn = 0
  /** The last turn of each project in the list. */
  #turns = new Map<string, number>()

  constructor(finder: Pick<DueProjectFinder, 'due'>) {
    this.#finder = finder
  }

  /**
   * The turns of one claim. `next` returns each project once, and undefined only when a list read since then has no other.
   */
  turns(): { next(): Promise<string | undefined> } {
    const tried = new Set<string>()
    let fresh = false
    return {
      next: async () => {
        for (;;) {
          if (!fresh && (this.#list.length === 0 || performance.now() - this.#read > LIST_MS)) {
            await this.#refresh()
            fresh = true
          }
          const next = this.#first(tried)
          if (next !== undefined) {
            tried.add(next)
            this.#turns.set(next, ++this.#turn)
            return next
          }
          if (fresh) return undefined
          // The old list is exhausted; only a new one can tell whether that was all.
          this.#list = []
          tried.clear()
        }
      },
    }
  }

  /** A claim found nothing there: skips the project until the list is read again. */
  exhausted(projectId: string): void {
    this.#list = this.#list.filter((project) => project.projectId !== projectId)
  }

  async #refresh(): Promise<void> {
    const list = await this.#finder.due()
    this.#read = performance.now()
    this.#list = list.sort((a, b) => a.since.getTime() - b.since.getTime())
    const due = new Set(list.map(({ projectId }) => projectId))
    for (const projectId of this.#turns.keys()) if (!due.has(projectId)) this.#turns.delete(projectId)
  }

  /** Among projects with the same last turn, the one whose jobs have waited longest. */
  #first(tried: ReadonlySet<string>): string | undefined {
    let first: { projectId: string; turn: number } | undefined
    for (const { projectId } of this.#list) {
      const turn = this.#turns.get(projectId) ?? 0
      if (!tried.has(projectId) && (first === undefined || turn < first.turn)) first = { projectId, turn }
    }
    return first?.projectId
  }
}
