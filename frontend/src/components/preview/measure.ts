/** How wide texts are, without laying them out. */

/** The face of the words on a page, and its size, in pixels. */
export const face = 'sans-serif'
const size = 100

let canvas: CanvasRenderingContext2D | null | undefined

/** The width of a text on one line, to the size of its letters; 0 where that cannot be measured. */
export function widthOf(text: string): number {
  if (canvas === undefined) {
    canvas = document.createElement('canvas').getContext('2d')
    if (canvas) canvas.font = `${size}px ${face}`
  }
  return (canvas?.measureText(text).width ?? 0) / size
}
