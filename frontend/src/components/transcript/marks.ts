/** Marks every place in an element where a text stands, without changing the element. */
import { onBeforeUnmount, shallowRef, watch, type Ref, type ShallowRef } from 'vue'

import { useFind } from '../../stores/find'

/** The name of the marks in the style sheet. */
const name = 'found'

/** What does not part two words. */
const inline = new Set(['A', 'CODE', 'DEL', 'EM', 'MARK', 'SPAN', 'STRONG'])

/** How long after a change the marks follow, in milliseconds. */
const followTime = 200

/** Marks what is looked for in the content of the conversation, and the element that was found, which is
    given. */
export function useMarks(content: Readonly<Ref<HTMLElement | null>>): ShallowRef<Element | null> {
  const find = useFind()
  const here = shallowRef<Element | null>(null)
  let timer: number | undefined
  const observer = new MutationObserver(() => {
    timer ??= window.setTimeout(mark, followTime)
  })

  function mark(): void {
    clearTimeout(timer)
    timer = undefined
    markText(content.value, find.text)
  }

  watch(here, (now, before) => {
    before?.removeAttribute('data-here')
    now?.setAttribute('data-here', '')
  })
  watch(
    () => [find.open, find.text, content.value] as const,
    ([open]) => {
      observer.disconnect()
      mark()
      if (!open) here.value = null
      else if (content.value)
        observer.observe(content.value, { childList: true, characterData: true, subtree: true })
    },
    { flush: 'post', immediate: true },
  )
  onBeforeUnmount(() => {
    observer.disconnect()
    clearTimeout(timer)
    markText(null, '')
  })
  return here
}

/** Where a piece of the text comes from. */
interface Piece {
  node: Text
  from: number
}

/** Marks a text, in any case; an empty one nowhere. */
export function markText(root: HTMLElement | null, words: string): void {
  // Engines without this show the place alone.
  if (typeof CSS === 'undefined' || !('highlights' in CSS)) return
  const wanted = words.trim().toLowerCase()
  if (!root || wanted === '') {
    CSS.highlights.delete(name)
    return
  }
  const { text, pieces } = textOf(root)
  const marks = new Highlight()
  for (let at = text.indexOf(wanted), i = 0; at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length
    while (endOf(pieces[i]) <= at) i++
    let last = i
    while (endOf(pieces[last]) < end) last++
    const [first, final] = [pieces[i], pieces[last]]
    if (!first || !final) break
    const range = new StaticRange({
      startContainer: first.node,
      startOffset: at - first.from,
      endContainer: final.node,
      endOffset: end - final.from,
    })
    marks.add(range)
  }
  CSS.highlights.set(name, marks)
}

const endOf = (piece: Piece | undefined): number =>
  piece === undefined ? Infinity : piece.from + piece.node.data.length

/** The text of an element in lower case, with a line break between what stands apart. */
function textOf(root: HTMLElement): { text: string; pieces: Piece[] } {
  const pieces: Piece[] = []
  let text = ''
  let block: Element | null = null
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    const own = blockOf(node)
    if (own !== block && text !== '') text += '\n'
    block = own
    pieces.push({ node, from: text.length })
    const lower = node.data.toLowerCase()
    // A letter can be two in the other case.
    text += lower.length === node.data.length ? lower : node.data
  }
  return { text, pieces }
}

function blockOf(node: Text): Element | null {
  let element = node.parentElement
  while (element && inline.has(element.tagName)) element = element.parentElement
  return element
}
