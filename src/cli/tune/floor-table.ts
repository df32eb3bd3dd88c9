import { stars } from '../output/stars.ts'
import { table } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'
import type { FloorOutcome } from './floors.ts'

/** What each floor in steps of 0.05 keeps, loses and lets in wrongly, with the present one and the suggested one among them. */
export function floorTable(
  outcomes: readonly FloorOutcome[],
  current: FloorOutcome,
  suggested: FloorOutcome | undefined,
  terminal: Terminal,
): string {
  const shown = outcomes.filter(({ floor }) => Math.round(floor * 100) % 5 === 0 || floor === suggested?.floor)
  const rows = [...new Map([...shown, current].map((one) => [one.floor, one])).values()]
  rows.sort((a, b) => a.floor - b.floor)
  const mark = ({ floor }: FloorOutcome) =>
    [floor === suggested?.floor && 'suggested', floor === current.floor && 'now'].filter(Boolean).join(', ')
  return table(
    rows,
    [
      { heading: 'FLOOR', value: ({ floor }) => floor.toFixed(2) },
      { heading: 'KEEPS', value: ({ kept }) => String(kept), align: 'right' },
      { heading: 'LOSES', value: ({ lost }) => String(lost), align: 'right' },
      { heading: 'WRONG', value: ({ wrong }) => String(wrong), align: 'right' },
      { heading: 'MEASURE', value: ({ measure }) => stars(Math.round(measure * 5)) },
      { heading: '', value: mark },
    ],
    terminal,
  )
}
