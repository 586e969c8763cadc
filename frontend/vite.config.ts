import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

// A small script and style sheet for the first frame, and one of each for the rest:
// the page is read from the program itself, so more would only cost requests.
export default defineConfig({
  plugins: [vue()],
  base: './',
  build: {
    target: ['safari17', 'chrome120'],
    modulePreload: false,
    sourcemap: false,
    assetsInlineLimit: 0,
  },
  // The tests play the loop's scenarios, and look for words for all there is in the list of events.
  server: { fs: { allow: ['.', '../backend', '../docs'] } },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts'],
    restoreMocks: true,
  },
})
