/**
 * Texts of models and files are not to be trusted: what is shown of its HTML is on this
 * list, so that nothing of it can load or run anything (SPEC SEC-04). The default
 * list of the library is safe from scripts, but lets images and style sheets be
 * fetched.
 */
import DOMPurify from 'dompurify'

const rules = {
  ALLOWED_TAGS: [
    'p',
    'br',
    'hr',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'blockquote',
    'pre',
    'code',
    'em',
    'strong',
    'del',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'a',
  ],
  ALLOWED_ATTR: ['href', 'title', 'start', 'align', 'colspan', 'rowspan'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  // The library holds every value against the expression above, unless told otherwise.
  ADD_URI_SAFE_ATTR: ['start', 'align', 'colspan', 'rowspan'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
}

/** Removes whatever is not on the list from HTML. */
export function sanitize(html: string): string {
  return DOMPurify.sanitize(html, rules)
}
