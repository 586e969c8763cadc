import { onScopeDispose, readonly, ref, watch, type Ref } from 'vue'

import { elapsed, t } from '../../i18n'

/** The time, once a second while somebody shows how it passes. */
const now = ref(Date.now())
let users = 0
let timer: number | undefined

function hold(): void {
  now.value = Date.now()
  if (users++ > 0) return
  timer = window.setInterval(() => {
    now.value = Date.now()
  }, 1000)
}

function release(): void {
  if (--users === 0) clearInterval(timer)
}

/** The time in milliseconds since 1970; it moves on while wanted says so. */
export function useNow(wanted: () => boolean): Readonly<Ref<number>> {
  let held = false
  const set = (wish: boolean) => {
    if (wish === held) return
    held = wish
    if (wish) hold()
    else release()
  }
  watch(wanted, set, { immediate: true })
  onScopeDispose(() => set(false))
  return readonly(now)
}

/** A span that is still growing, in milliseconds, as whole seconds: 4 s, 1:02. */
export function seconds(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  return whole < 60 ? t('shell.seconds', { n: whole }) : elapsed(ms)
}
