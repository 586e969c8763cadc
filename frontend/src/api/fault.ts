/** Why a call or a read failed, as far as the page has words of its own for it. */
export class Fault extends Error {
  override name = 'Fault'

  constructor(
    /** One of the codes in the dictionary's section `faults`; INTERNAL for what has none. */
    readonly code: string,
    message: string,
    /** What to do next, in the program's words; empty when there is nothing to add. */
    readonly hint = '',
    /** Which fault of its code it is; empty where there is but one, or no words for each. */
    readonly reason = '',
  ) {
    super(message)
  }
}

/** Makes a Fault of whatever a call was rejected with. */
export function faultOf(reason: unknown): Fault {
  if (reason instanceof Fault) return reason
  const text = reason instanceof Error ? reason.message : String(reason)
  return parseFault(text) ?? new Fault('INTERNAL', text)
}

/** Reads a fault's JSON; undefined where it is none. */
export function parseFault(text: string): Fault | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { code, message, hint = '', reason = '' } = value as Record<string, unknown>
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  return new Fault(code, message, String(hint), String(reason))
}
