import type { TreeEntry } from '../../api/types'
import { t } from '../../i18n'

/** The files by which a project says that it has tests. */
const tested = /^(go\.mod|package\.json|pyproject\.toml|Cargo\.toml|pom\.xml|Makefile|tests?)$/i
const readme = /^readme(\.\w+)?$/i

/** Three tasks that suit a folder with these entries. */
export function examplesFor(entries: readonly TreeEntry[]): string[] {
  const about = entries.find((entry) => !entry.folder && readme.test(entry.name))
  const first = about ? t('shell.empty.readme', { file: about.name }) : t('shell.empty.write')
  const second = entries.some((entry) => tested.test(entry.name))
    ? t('shell.empty.tests')
    : t('shell.empty.todo')
  return [t('shell.empty.tidy'), first, second]
}
