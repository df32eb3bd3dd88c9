/**
 * Leaves no card alone in the last row of a grid: three cards stand in three columns or in one, five in three and two.
 * The style sheet says how many columns there is room for; this takes some of them away.
 */
export function fitColumns(list: HTMLElement): void {
  const { children, style } = list
  const fit = () => {
    style.gridTemplateColumns = ''
    let columns = getComputedStyle(list).gridTemplateColumns.split(' ').length
    while (children.length % columns === 1) style.gridTemplateColumns = '1fr '.repeat(--columns)
  }
  // At once, before anything is painted, and from then on outside the observer's own round, which must change no size.
  fit()
  new ResizeObserver(() => requestAnimationFrame(fit)).observe(list)
}
