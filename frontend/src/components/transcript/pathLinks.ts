/** Names of files in an answer, as links into the preview. */
import { t } from '../../i18n'
import { namedFile } from '../../markdown/paths'
import { useKnown } from '../../stores/known'
import { usePreview } from '../../stores/preview'
import { inline } from '../../text/visible'
import { isIme } from '../base/keys'

/** How many names of an answer are looked at. */
const most = 100
/** Code within a line, and links that lead nowhere else. */
const places = '.prose :not(pre) > code, .prose a:not([href])'

async function linkPath(element: HTMLElement): Promise<void> {
  const text = element.textContent
  const named = namedFile(text)
  if (!named) return
  const path = await useKnown().find(named.name)
  if (path === '' || element.textContent !== text) return
  const { line } = named
  element.dataset.path = path
  element.tabIndex = 0
  element.setAttribute('role', 'link')
  element.setAttribute('aria-label', t('transcript.path.open', { name: inline(text) }))
  if (line === 0) return
  element.dataset.line = String(line)
  element.title = t('transcript.path.line', { path: inline(path), line })
}

/** Makes links of the names of files in a text that is whole. */
export async function linkPaths(box: HTMLElement): Promise<void> {
  const all = [...box.querySelectorAll<HTMLElement>(places)]
  const open = all.filter((element) => !element.closest('a[href], [data-path]')).slice(0, most)
  await Promise.all(open.map(linkPath))
}

/** Opens what is pressed. The text itself cannot have such attributes: the sanitiser removes them. */
export function openPath(event: MouseEvent | KeyboardEvent): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-path]') : null
  if (!link || (event instanceof KeyboardEvent && (event.key !== 'Enter' || isIme(event)))) return
  event.preventDefault()
  usePreview().open(link.dataset.path ?? '', 'preview', Number(link.dataset.line ?? 0))
}
