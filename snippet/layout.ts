/**
 * Leaves no card alone in the last row of a grid: three cards stand in three columns or in one, five in three and two.
 * The style sheet says how many columns there is room for; this takes some of them away.
 */
export function fitColumns(list: HTMLElement): void {
  const count = list.children.length
  let width = 0
  const fit = () => {
    if (list.offsetWidth === width) return
    width = list.offsetWidth
    list.style.gridTemplateColumns = ''
    const tracks = getComputedStyle(list).gridTemplateColumns.split(' ')
    const room = tracks.filter((track) => track !== '0px').length
    let columns = room
    while (columns > 1 && count > columns && count % columns === 1) columns--
    if (columns < room) list.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`
  }
  // At once, before anything is painted, and from then on outside the observer's own round, which must change no size.
  fit()
  new ResizeObserver(() => requestAnimationFrame(fit)).observe(list)
}
