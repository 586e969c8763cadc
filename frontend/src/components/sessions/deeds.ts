/** What can be done with a conversation of the list. */
import * as bridge from '../../api/bridge'
import { readMarkdown } from '../../api/routes'
import type { SessionEntry } from '../../api/types'
import { t, type Key } from '../../i18n'
import { useSessions } from '../../stores/sessions'
import { announce } from '../base/announce'
import { isPressed } from '../base/keys'
import type { MenuItem } from '../base/menu'

/** In the order of the menu. */
const deeds = ['pin', 'rename', 'copy', 'archive', 'delete'] as const
export type Deed = (typeof deeds)[number]

/** What is done with a conversation depends on this much of it. */
export type Kept = Pick<SessionEntry, 'id' | 'title' | 'pinned' | 'archived'>

const keys: Readonly<Record<Deed, string>> = {
  pin: 'P',
  rename: 'F2',
  copy: 'C',
  archive: 'A',
  delete: 'Delete',
}

/** What a key does with a conversation. One that is held down must not go on with the rows that follow. */
export const deedOf = (event: KeyboardEvent): Deed | undefined =>
  event.repeat ? undefined : deeds.find((deed) => isPressed(event, keys[deed]))

function nameOf(deed: Deed, { pinned, archived }: Kept): Key {
  if (deed === 'pin' && pinned) return 'sessions.unpin'
  if (deed === 'archive' && archived) return 'sessions.unarchive'
  return `sessions.${deed}`
}

/** The menu of a conversation. */
export const itemsFor = (entry: Kept): MenuItem[] =>
  deeds.map((deed) => ({ id: deed, text: t(nameOf(deed, entry)), keys: keys[deed] }))

/** Does what needs nothing else of the user; how a title is written is the row's. */
export function useDeeds(): (deed: Exclude<Deed, 'rename'>, entry: Kept) => Promise<void> {
  const sessions = useSessions()

  async function say(done: Promise<void>, words: Key): Promise<void> {
    await done
    if (sessions.refusal === null) announce(t(words))
  }

  return (deed, entry) => {
    const { id, pinned, archived } = entry
    switch (deed) {
      case 'pin':
        return say(sessions.pin(id, !pinned), pinned ? 'sessions.spoken.unpinned' : 'sessions.spoken.pinned')
      case 'copy':
        return say(
          sessions.attempt(async () => void (await bridge.copyText(await readMarkdown(id)))),
          'shell.spoken.copied',
        )
      case 'archive':
        return archived
          ? say(sessions.takeBack(id), 'sessions.spoken.unarchived')
          : sessions.moveToArchive(entry)
      case 'delete':
        return sessions.remove(entry)
    }
  }
}
