export const ends = {
  done: 'Done',
  /** It is complete, but everything it wanted to do was refused. */
  refused: 'Ended: nothing it asked for was approved',
  maxSteps: 'Stopped: step limit {n}',
  /** A crash cut it off. */
  interrupted: 'Interrupted',
  /** The user wanted it to stop once its step is done. */
  stoppedAfter: 'Stopped by you, after its step',
  /** Nothing answers on this computer. */
  noOllama: 'Ollama isn’t running at {host}.',
  noLocal: 'Nothing answers at {host}.',
  /** The codes of lifecycle.error. */
  codes: {
    RATE_LIMITED: 'Too many requests: the provider stayed busy.',
    QUOTA: 'The provider’s credit is used up.',
    OVERLOADED: 'The provider failed; kept what arrived.',
    AUTH: 'The provider refused the key.',
    MODEL_NOT_FOUND: 'This model isn’t available here.',
    BAD_REQUEST: 'The provider did not accept the request.',
    FILTERED: 'The provider’s filter held the answer back.',
    CONTEXT_OVERFLOW: 'Too long for this model.',
    NETWORK: 'No connection to the provider.',
    MALFORMED: 'The provider’s answer could not be read.',
    TRUNCATED: 'The answer was cut off: it reached the provider’s length limit.',
    EMPTY_REPLY: 'The answer stayed empty.',
    TIMEOUT: 'Stopped: it took too long.',
    BUDGET: 'Stopped: the budget is used up',
    DOOM_LOOP: 'Stopped: it was going in circles',
    CANCELLED: 'Stopped by you',
    REJECTED: 'Stopped: you rejected a call',
    TOOL_FAILED: 'Stopped: a tool failed',
    HOOK_FAILED: 'Stopped: an extension failed',
    TOO_LARGE: 'The answer was too large and was dropped.',
    STORAGE: 'The conversation could not be saved.',
    INTERNAL: 'Fairlead failed at this.',
  },
  steps: { one: '{n} step', other: '{n} steps' },
  files: { one: '{n} file', other: '{n} files' },
  details: 'Details',
  copyDetails: 'Copy details',
  actions: {
    again: 'Try again',
    continue: 'Continue',
    model: 'Open model settings',
    choose: 'Choose model',
    conversation: 'New conversation',
  },
}
