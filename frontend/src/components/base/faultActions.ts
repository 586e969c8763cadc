/** What the user can do about a fault; the words are in the section `faults.actions`. */
export type FaultAction = 'retry' | 'folder' | 'model' | 'stop' | 'session' | 'dismiss'

/** What to do next, for the codes where it is more than to take note. */
const actions: Readonly<Record<string, FaultAction>> = {
  NO_FOLDER: 'folder',
  FOLDER_REFUSED: 'folder',
  NO_MODEL: 'model',
  NO_KEY: 'model',
  AUTH: 'model',
  QUOTA: 'model',
  MODEL_NOT_FOUND: 'model',
  BAD_REQUEST: 'model',
  CONTEXT_OVERFLOW: 'model',
  MALFORMED: 'model',
  KEYRING: 'session',
  BUSY: 'stop',
  ELSEWHERE: 'retry',
  STORAGE: 'retry',
  INTERNAL: 'retry',
  UNREACHABLE: 'retry',
  NO_ANSWER: 'retry',
  RATE_LIMITED: 'retry',
  OVERLOADED: 'retry',
  NETWORK: 'retry',
  TRUNCATED: 'retry',
  TOO_LARGE: 'retry',
  EMPTY_REPLY: 'retry',
  TIMEOUT: 'retry',
  EXECUTION_ERROR: 'retry',
}

/** The one next action for a fault's code. */
export function actionFor(code: string): FaultAction {
  return actions[code] ?? 'dismiss'
}
