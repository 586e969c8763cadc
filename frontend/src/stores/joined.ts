/** Returns what reads something anew: calls while it is being read are joined into one more read. A
    read that finds out that it came too late returns false, and is done again. */
export function joined(read: () => Promise<boolean | void>): () => Promise<void> {
  let reading: Promise<void> | null = null
  let again = false

  async function readUntilCurrent(): Promise<void> {
    do {
      again = false
      if ((await read()) === false) again = true
    } while (again)
  }

  return () => {
    if (reading) again = true
    else {
      reading = readUntilCurrent().finally(() => {
        reading = null
      })
    }
    return reading
  }
}
