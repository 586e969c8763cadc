/** The last minute of a question, in seconds. */
import { onScopeDispose, readonly, ref, watch, type Ref } from 'vue'

/** How long before the end the seconds are counted, in milliseconds. */
const shownTime = 60_000

/**
 * The seconds left until a moment in milliseconds since 1970; null before the
 * last minute. No timer runs but one while nothing is counted.
 */
export function useCountdown(endsAt: () => number): Readonly<Ref<number | null>> {
  const left = ref<number | null>(null)
  let timer: number | undefined

  function look(): void {
    clearTimeout(timer)
    const ms = endsAt() - Date.now()
    left.value = ms > shownTime ? null : Math.max(0, Math.ceil(ms / 1000))
    if (ms <= 0) return
    // The next full second, so that each is shown for one.
    timer = window.setTimeout(look, ms > shownTime ? ms - shownTime : ms % 1000 || 1000)
  }

  watch(endsAt, look, { immediate: true })
  onScopeDispose(() => clearTimeout(timer))
  return readonly(left)
}
