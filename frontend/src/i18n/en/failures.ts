/** Why something failed, beside the words for its code. */
export const failures = {
  /** Where the code tells it all: what to do next, if anything. */
  plain: {
    FILTERED: 'The provider’s content filter stopped the answer. Put the request in other words.',
    TOO_LARGE: 'Ask for less in one step.',
    TRUNCATED: 'Ask for less at once, or raise the model’s output limit.',
    EMPTY_REPLY: 'The model replied with nothing. Try again, or use another model.',
    CONTEXT_OVERFLOW: 'Begin a new conversation, or use a model with a larger window.',
    TOOL_FAILED: 'The task is set to stop when a tool call fails.',
    HOOK_FAILED: 'Switch the extension off, or mend it.',
  },
  causes: {
    run_limit: 'It was stopped after {time} of work, its time limit.',
    silence: 'The model sent nothing of its answer for {time}. Check that it is running.',
    stood_still: 'The connection was dropped because the computer or Fairlead stood still.',
    repeats: 'The model repeats the same words over and over. Try again, or use another model.',
    lost: 'How it ended is lost: the file of the conversations was damaged.',
  },
  /** Who stopped a run that a guard had paused. */
  by: {
    user: 'You said to stop.',
    mode: 'Nobody could be asked whether to go on.',
    timeout: 'Nobody answered whether to go on.',
  },
  status: 'The provider answered with HTTP {status}.',
  /** Foreign text. */
  said: '“{said}”',
  wait: 'The provider asks to wait {time}.',
}
