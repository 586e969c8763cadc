/** Why commands cannot work on a copy of the folder, in words. */
import type { NoCopy } from '../api/types'
import { hasText, t } from '../i18n'
import { inline } from './visible'

/** The reason in a sentence. */
export function noCopyOf({ code, path = '', detail = '' }: NoCopy): string {
  const key = `shell.noCopy.${code}`
  return hasText(key) ? t(key, { path: inline(path), detail: inline(detail) }) : inline(detail)
}
