// Measures the page as it draws: how long after Ctrl+Shift+D a change is on the screen, and
// from then on, until F9, the time from each frame to the next. Times are milliseconds.
'use strict'

/** From one frame to the next, where something is drawn at the usual 60 Hz. */
const frames = []
let opened = 0
let last = 0
/** How far down something was scrolled, in pixels. */
let furthest = 0

/** @param {number} pressed when the key was */
function waitForChange(pressed) {
  if (document.querySelector('[role=option]') && document.querySelector('[role=tabpanel] [data-at]')) {
    requestAnimationFrame((now) => {
      opened = performance.now() - pressed
      last = now
      requestAnimationFrame(record)
    })
  } else requestAnimationFrame(() => waitForChange(pressed))
}

/** @param {number} now */
function record(now) {
  frames.push(now - last)
  last = now
  requestAnimationFrame(record)
}

function report() {
  const slow = frames.filter((each) => each > 50).length
  const longest = Math.max(...frames)
  const heading = document.createElement('h6')
  heading.textContent = `measured ${JSON.stringify({ opened, frames: frames.length, slow, longest, furthest })}`
  document.body.prepend(heading)
}

addEventListener(
  'scroll',
  ({ target }) => {
    if (target instanceof Element) furthest = Math.max(furthest, target.scrollTop)
  },
  true,
)
addEventListener(
  'keydown',
  (event) => {
    if (event.ctrlKey && event.shiftKey && event.code === 'KeyD') waitForChange(performance.now())
    if (event.key === 'F9') report()
  },
  true,
)
