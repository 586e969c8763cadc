/** Code with its words marked, and nothing hidden in it. */
import { h, type FunctionalComponent } from 'vue'

import type { Token } from '../../markdown/highlight'
import { hasHidden } from '../../text/visible'
import VisibleText from '../../text/VisibleText.vue'

const CodeText: FunctionalComponent<{ tokens: readonly Token[] }> = ({ tokens }) =>
  tokens.map(({ text, kind }) => {
    const shown = hasHidden(text) ? h(VisibleText, { text }) : text
    return kind === '' ? shown : h('span', { class: kind }, [shown])
  })
CodeText.props = ['tokens']

export default CodeText
