import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/** How much of a picture may differ, by the same engine and by another version of it. */
export const limits = { same: 0.001, other: 0.02 }

const block = 16

/**
 * Compares two pictures of the same size.
 * @param {PNG} accepted
 * @param {PNG} made
 * @returns {{share: number, blocks: number, diff: PNG}} how much differs, how many
 *   blocks of 16 × 16 differ wholly, and a picture of the difference
 */
export function compare(accepted, made) {
  const { width, height } = accepted
  if (made.width !== width || made.height !== height) {
    return { share: 1, blocks: Infinity, diff: made }
  }
  const diff = new PNG({ width, height })
  const different = pixelmatch(accepted.data, made.data, diff.data, width, height, {
    threshold: 0.1,
    diffMask: true,
  })
  let blocks = 0
  for (let y = 0; y + block <= height; y += block) {
    for (let x = 0; x + block <= width; x += block) if (whole(diff, x, y)) blocks++
  }
  return { share: different / (width * height), blocks, diff }
}

/** Reports whether every pixel of a block is in the mask. */
function whole(diff, left, top) {
  for (let y = top; y < top + block; y++) {
    for (let x = left; x < left + block; x++) if (diff.data[(y * diff.width + x) * 4 + 3] === 0) return false
  }
  return true
}

/**
 * Writes a picture as small as it gets without loss: a page without colors needs
 * one channel of four.
 * @param {PNG} picture
 */
export function encode(picture) {
  const gray = isGray(picture.data)
  return PNG.sync.write(picture, { colorType: gray ? 0 : 2, deflateLevel: 9, filterType: -1 })
}

/** @param {Buffer} data */
function isGray(data) {
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] !== data[i + 1] || data[i] !== data[i + 2]) return false
  }
  return true
}
