/** Whether a cell is what databases' programs write where nothing is. */
export function isUnset(cell: string): boolean {
  return cell.length <= LONGEST && UNSET.test(cell)
}

const LONGEST = 6
const UNSET = /^(?:null|\(null\)|\[null\]|\\n)$/i
