/** What a guard measured. */
export const guards = {
  call: {
    one: 'The same call of {name} came {n} time in a row.',
    other: 'The same call of {name} came {n} times in a row.',
  },
  cycle: {
    one: 'The same {calls} calls, the last one of {name}, came {n} time in a row.',
    other: 'The same {calls} calls, the last one of {name}, came {n} times in a row.',
  },
  rounds: { one: 'Every call failed in {n} round.', other: 'Every call failed in {n} rounds in a row.' },
  tokens: '{used} of {most} tokens are used.',
  dollars: '{used} of {most} are used.',
  steps: 'The limit of {n} steps is reached.',
}
