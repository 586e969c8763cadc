/** A web address in parts: put together they are the address. */
export interface Address {
  before: string
  /** The host and its port; all of a text that is no web address. */
  host: string
  after: string
}

/**
 * Where the host of a web address is. The program has checked the address and gives
 * none with a name or password before the host.
 */
export function splitAddress(url: string): Address {
  const [, before = '', host = '', after = ''] =
    /^(https?:\/\/)([^/?#\\@]+)((?:[/?#][^]*)?)$/i.exec(url) ?? []
  return host === '' ? { before: '', host: url, after: '' } : { before, host, after }
}
