/** Where each conversation was left; the others follow their end. */
import { defineStore } from 'pinia'

import type { Place } from './stick'

export const usePlaces = defineStore('places', () => {
  const places = new Map<string, Place>()

  /** Keeps where a conversation is left. */
  function keep(sessionId: string, place: Place | null): void {
    if (place) places.set(sessionId, place)
    else places.delete(sessionId)
  }

  return { keep, of: (sessionId: string): Place | undefined => places.get(sessionId) }
})
