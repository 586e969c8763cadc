import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

// One script and one style sheet: the page is read from the program itself, so
// splitting it would only cost requests.
export default defineConfig({
  plugins: [vue()],
  base: './',
  build: {
    target: ['safari17', 'chrome120'],
    modulePreload: false,
    sourcemap: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: false } },
  },
  // The tests play the loop's scenarios, and look for words for all there is in the list of events.
  server: { fs: { allow: ['.', '../backend', '../docs'] } },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts'],
    restoreMocks: true,
  },
})
