import { Run, reading, said, session } from './story.mjs'

/** @typedef {import('./story.mjs').Language} Language */

const usage = (prompt, completion, cached) => ({ prompt, completion, reasoning: 0, cached })

/** Steps of two tasks with a summary between. @param {boolean} priced */
const steps = (priced) =>
  [
    [1, 1, 3_120, 214, 0, 7_000],
    [1, 2, 5_870, 431, 2_944, 41_000],
    [1, 3, 9_412, 188, 5_760, 12_000],
    [1, 0, 8_120, 640, 0, 9_000],
    [2, 1, 4_310, 96, 3_072, 4_000],
    [2, 2, 6_955, 377, 4_224, 63_000],
    [2, 3, 21_480, 512, 6_912, 26_000],
  ].map(([task, step, prompt, completion, cached, durationMs]) => ({
    task,
    step,
    summary: step === 0,
    usage: usage(prompt, completion, priced ? cached : 0),
    cost: priced ? (prompt * 0.22 + completion * 0.95) / 1e6 : null,
    durationMs,
    estimated: false,
  }))

/** What all steps took. @param {ReturnType<typeof steps>} all */
const totalOf = (all) => {
  const sum = (of) => all.reduce((total, step) => total + of(step), 0)
  return {
    usage: usage(
      sum(({ usage: { prompt } }) => prompt),
      sum(({ usage: { completion } }) => completion),
      sum(({ usage: { cached } }) => cached),
    ),
    cost: all[0].cost === null ? null : sum(({ cost }) => cost),
    durationMs: sum(({ durationMs }) => durationMs),
    estimated: false,
  }
}

const parts = Object.entries({
  system: 412,
  instructions: 268,
  tools: 3_940,
  summary: 1_204,
  user: 318,
  model: 2_850,
  results: 11_460,
  pictures: 1_600,
}).map(([kind, tokens]) => ({ kind, tokens }))

const address = (id) => `context?session=${id}`

/** What is read of the context: of a model with a price, or of one of which nothing is known. @param {boolean} known */
export const filled = (known) => ({
  [address(session)]: {
    window: known ? 262_144 : 0,
    used: 21_992,
    cached: known ? 6_912 : 0,
    estimated: false,
    parts,
    steps: steps(known),
    earlier: 0,
    total: totalOf(steps(known)),
  },
})

/** The same before the first task. */
export const unfilled = {
  [address('')]: {
    window: 262_144,
    used: 0,
    cached: 0,
    estimated: false,
    parts: parts.slice(0, 3),
    steps: [],
    earlier: 0,
    total: null,
  },
}

/** A run that sums up what was said. */
const summing = () => new Run('run-2', 12_000, '', { compacts: true, model: 'qwen3:8b' }).after(3_000)

/** A task, and then a summary of it on the user's word: running, made, or failed. @param {Language} language */
export const summed = (language) => [
  reading(language, 90_000).end(said[language].done),
  summing()
    .usage(8_120, 640)
    .add('context.compacted', { before: 21_992, after: 6_180, mode: 'compact' })
    .end(''),
]

/** @param {Language} language */
export const beingSummed = (language) => [reading(language, 90_000).end(said[language].done), summing()]

/** @param {Language} language */
export const notSummed = (language) => [
  reading(language, 90_000).end(said[language].done),
  summing()
    .usage(2_120, 1_900)
    .fail('NOTHING_SAVED', 'the summary takes as much as what it would stand for; nothing has changed'),
]
