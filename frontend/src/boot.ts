/** The first script: it lets the frame of the page be drawn before the rest comes. */
import './styles/tokens.css'
import './styles/base.css'

/** A window that cannot be seen draws nothing; it waits no longer than this, in milliseconds. */
const patience = 100

let begun = false

function begin(): void {
  if (begun) return
  begun = true
  void import('./main')
}

// The first callback comes before the first frame, the second one after it.
requestAnimationFrame(() => requestAnimationFrame(begin))
setTimeout(begin, patience)
