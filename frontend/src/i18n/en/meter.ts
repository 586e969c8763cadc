/** What fills the model's context, and what each step took. */
export const meter = {
  /** The button with the numbers. */
  label: 'Context and cost: {numbers}',
  /** Where nothing was counted yet. */
  button: 'Context',
  used: '{percent} of the context is used: {n} of {window} tokens',
  /** The size of the model's context is not known. */
  usedOf: '{n} tokens are used; the size of this model’s context is unknown',
  none: 'Nothing was sent to the model yet.',
  cached: '{n} of them were in the provider’s cache.',
  reading: 'Reading…',
  fills: 'What fills it (estimated)',
  what: 'What',
  tokens: 'Tokens',
  share: 'Share',
  parts: {
    system: 'System prompt',
    instructions: 'Instructions',
    tools: 'Descriptions of tools',
    summary: 'Summary of earlier messages',
    user: 'Your messages',
    model: 'Answers and calls',
    results: 'Results of tools',
    pictures: 'Pictures and documents',
  },
  /** Less than one per cent. */
  little: '<1%',
  compact: 'Compact now',
  compacting: 'Starting…',
  about: 'The model sums up what was said, and goes on with that in its place. You keep seeing everything.',
  steps: 'Steps',
  step: 'Step',
  sent: 'In',
  cachedTokens: 'Cached',
  generated: 'Out',
  cost: 'Cost',
  time: 'Time',
  /** The task and its step. */
  stepOf: 'Task {task}, step {step}',
  summed: 'Summary',
  total: 'Total',
  unknown: 'not known',
  earlier: {
    one: '{n} earlier step is only in the total.',
    other: '{n} earlier steps are only in the total.',
  },
  /** In the conversation. */
  asked: 'You had the conversation summed up',
  askedAt: 'You had the conversation summed up, {time}',
  started: 'The conversation is being summed up.',
  done: 'Summed up: {before} tokens became {after}.',
}
