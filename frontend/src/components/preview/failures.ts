/** The words for why a document cannot be read. */
import { t, type Key } from '../../i18n'

const failures: Record<string, Key> & { broken: Key } = {
  password: 'workspace.preview.failure.password',
  broken: 'workspace.preview.failure.broken',
  empty: 'workspace.preview.failure.empty',
  'too large': 'workspace.preview.failure.tooLarge',
  'too slow': 'workspace.preview.failure.tooSlow',
  'other format': 'workspace.preview.failure.otherFormat',
}

export const failureText = ({ reason }: { reason: string }): string => t(failures[reason] ?? failures.broken)
