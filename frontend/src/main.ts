import { createPinia } from 'pinia'
import { computed, createApp } from 'vue'

import './styles/caret.css'
import App from './App.vue'
import { applyAppearance } from './stores/appearance'
import { useWindow } from './stores/window'

/** How long the page stays empty while the state is not known, in milliseconds. */
const patience = 500

const pinia = createPinia()
const app = useWindow(pinia)
const page = createApp(App).use(pinia)

// Language and theme are part of the state: nothing is painted in the wrong ones.
const connected = app.connect()
await Promise.race([connected, new Promise((done) => setTimeout(done, patience))])
applyAppearance(computed(() => ({ language: app.state?.language ?? '', theme: app.state?.theme ?? '' })))
page.mount('#app')
