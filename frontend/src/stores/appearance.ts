/** Language and theme on the page itself, as chosen or as the system has them. */
import { computed, ref, watchEffect, type Ref } from 'vue'

import { language, languageFor } from '../i18n'

/**
 * Keeps `data-theme` and `lang` of the document, and the language of its words,
 * in line with what was chosen; empty means the system's.
 */
export function applyAppearance(chosen: Readonly<Ref<{ language: string; theme: string }>>): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const systemDark = ref(dark.matches)
  dark.addEventListener('change', () => {
    systemDark.value = dark.matches
  })
  const theme = computed(() => chosen.value.theme || (systemDark.value ? 'dark' : 'light'))
  watchEffect(
    () => {
      language.value = languageFor(chosen.value.language, navigator.languages)
      document.documentElement.lang = language.value
      document.documentElement.dataset.theme = theme.value
    },
    { flush: 'sync' },
  )
}
