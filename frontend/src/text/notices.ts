/** What the user should know beside a result, in the words of the language that is shown. */
import type { Notice } from '../api/types'
import { hasText, t } from '../i18n'

/** What the programs do that act on a file by themselves, by one of message.Autorun. */
export function autorunOf(programs: string): string {
  const key = `notices.autorun.${programs}`
  return t(hasText(key) ? key : 'notices.autorun.programs')
}

/** A notice in a sentence. Nothing of the path is made visible here. */
export function noticeOf({ code, data }: Notice): string {
  const text = sentenceOf(code, data)
  return data.processId ? t('notices.process', { id: data.processId, text }) : text
}

function sentenceOf(code: string, data: Notice['data']): string {
  const { path = '', paths = [], autorun = '', count = 0, gap = '', toolset = '', error = '' } = data
  const runs = autorunOf(autorun)
  switch (code) {
    case 'autorun_new':
      return t('notices.created', { path, runs })
    case 'autorun_changed':
      return t('notices.modified', { path, runs })
    case 'autorun_more':
      return t('notices.more', { n: count, runs })
    case 'autorun_not_pinned':
      return t('notices.notPinned', { path, runs })
    case 'autorun_pinned':
      return t('notices.pinned', { path, runs })
    case 'tools_missing':
      return t('notices.toolsMissing', { name: toolset, error })
    case 'instructions':
      return t('notices.instructions.given', { path })
    case 'instructions_left_out':
      return t('notices.instructions.leftOut', { path })
    case 'instructions_full':
      return t('notices.instructions.full', { path })
    case 'undone':
      return t('notices.undone', { paths: namesOf(paths, count) })
    case 'redone':
      return t('notices.redone', { paths: namesOf(paths, count) })
    case 'applied':
      return t('notices.applied', { paths: namesOf(paths, count) })
    case 'dropped':
      return t('notices.dropped', { paths: namesOf(paths, count) })
    case 'draft_applied':
      return t('notices.draftApplied', { paths: namesOf(paths, count) })
    case 'draft_dropped':
      return t('notices.draftDropped', { paths: namesOf(paths, count) })
    case 'forked':
      return t('notices.forked')
    case 'forked_draft':
      return paths.length === 0
        ? t('notices.forkedDraft')
        : t('notices.forkedDraftBut', { paths: namesOf(paths, count) })
    case 'partly_undone':
      return t('notices.partlyUndone', { paths: namesOf(paths, count) })
    default: {
      const key = `notices.gaps.${gap}`
      return t(hasText(key) ? key : 'notices.gaps.time', { path })
    }
  }
}

/** Paths by name, and how many more there are. */
function namesOf(paths: readonly string[], more: number): string {
  const names = paths.join(t('notices.comma'))
  return more > 0 ? t('notices.andMore', { names, n: more }) : names
}
