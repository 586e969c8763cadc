import vue from '@vitejs/plugin-vue'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** Writes letters beyond ASCII as escapes: one of them makes a script take two bytes a letter in memory. */
const ascii: Plugin = {
  name: 'ascii',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      file.code = file.code.replace(
        /[^\0-\x7f]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    }
  },
}

/** The files of tests that need no page: what they try is functions of what they are given. */
const plain = [
  'src/api/{fault,routes}.test.ts',
  'src/components/confirm/{address,command,edits}.test.ts',
  'src/components/diff/{parse,words}.test.ts',
  'src/components/sessions/days.test.ts',
  'src/components/shell/{address,modelTest}.test.ts',
  'src/components/transcript/{ansi,describe,endings,layout,links,timing}.test.ts',
  'src/components/workspace/treeKeys.test.ts',
  'src/i18n/i18n.test.ts',
  'src/stores/{feed,marks,output}.test.ts',
  'src/text/{failures,notices}.test.ts',
]

// A small script and style sheet for the first frame, and one of each for the rest:
// the page is read from the program itself, so more would only cost requests.
export default defineConfig({
  plugins: [vue(), ascii],
  base: './',
  build: {
    target: ['safari17', 'chrome120'],
    modulePreload: false,
    sourcemap: false,
    assetsInlineLimit: 0,
    // One script is meant to hold all of it.
    chunkSizeWarningLimit: 1000,
  },
  // The tests play the loop's scenarios, and look for words for all there is in the list of events.
  server: { fs: { allow: ['.', '../backend', '../docs'] } },
  test: {
    // Threads start sooner than processes; contexts in shared threads (vmThreads) would mix up mocks.
    pool: 'threads',
    maxWorkers: 2,
    // On a busy machine a long list takes longer than the usual five seconds.
    testTimeout: 20_000,
    restoreMocks: true,
    // What was translated for the last run is kept with the modules.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    projects: [
      {
        extends: true,
        test: { name: 'page', environment: 'jsdom', include: ['src/**/*.test.ts'], exclude: plain },
      },
      // These replace no modules and leave nothing behind, so they share a thread and what it has loaded.
      {
        extends: true,
        test: { name: 'plain', environment: 'node', isolate: false, include: plain },
      },
    ],
  },
})
