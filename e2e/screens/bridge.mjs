/**
 * Runs in the page before its own script: stands for the window library and gives
 * each bound method the answer of the picture. A method without one never answers.
 * @param {{answers: Record<string, {value?: unknown, fault?: object}>}} given
 */
export function bridge({ answers }) {
  /** @param {string} method */
  const bound = (method) => () => {
    const answer = answers[method]
    if (answer === undefined) return new Promise(() => {})
    return answer.fault
      ? Promise.reject(new Error(JSON.stringify(answer.fault)))
      : Promise.resolve(answer.value)
  }
  /** @param {string[]} path */
  const service = (path) =>
    new Proxy(
      {},
      {
        get: (_, name) =>
          path.length === 2 ? bound([...path, name].join('.')) : service([...path, String(name)]),
      },
    )
  /** @type {((events: unknown) => void)[]} */
  const listeners = []
  Object.assign(window, {
    go: service([]),
    runtime: {
      EventsOnMultiple: (_name, listener) => listeners.push(listener),
      OnFileDrop: (dropped) => Object.assign(window, { drop: dropped }),
      ClipboardSetText: () => Promise.resolve(true),
      WindowSetTitle: () => {},
    },
    /** Brings events to the page. */
    emit: (events) => listeners.forEach((listener) => listener(events)),
  })
}
