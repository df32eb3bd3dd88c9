/**
 * Avoids a lone card in the last row of a grid: three cards take three columns or one, five take three and two. The style
 * sheet determines how many columns fit; this reduces them.
 */
export function fitColumns(list: HTMLElement): void {
  const { children, style } = list
  const fit = () => {
    style.gridTemplateColumns = ''
    let columns = getComputedStyle(list).gridTemplateColumns.split(' ').length
    while (children.length % columns === 1) style.gridTemplateColumns = '1fr '.repeat(--columns)
  }
  // At once, before anything is painted; later outside the observer's own callback, which must not change sizes.
  fit()
  new ResizeObserver(() => requestAnimationFrame(fit)).observe(list)
}
