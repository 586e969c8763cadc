/** The names of the groups of tools. */
import type { ToolGroup } from '../../api/types'
import { hasText, t } from '../../i18n'
import { inline } from '../../text/visible'

/** What a group of tools is called; its own name where there is no word for it. */
export function groupName({ name }: ToolGroup): string {
  const key = `shell.tools.groups.${name}`
  return hasText(key) ? t(key) : inline(name)
}
