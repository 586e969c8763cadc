/** Base URLs of providers. */

const calls = '/chat/completions'

/** A base URL as it is used: without the end that every call adds by itself. */
export function cleanAddress(typed: string): string {
  const bare = typed.trim().replace(/\/+$/, '')
  return (bare.endsWith(calls) ? bare.slice(0, -calls.length) : bare).replace(/\/+$/, '')
}

/** Where other protocols than chat completions are spoken. */
const paths: Readonly<Record<string, string>> = { responses: '/responses', messages: '/messages' }

/** What will be called at a base URL over a protocol; empty where there is no address. */
export function callsOf(typed: string, protocol = ''): string {
  const base = cleanAddress(typed)
  return base === '' ? '' : base + (paths[protocol] ?? calls)
}

/** The host of an address; the address itself where it is none. */
export const hostOf = (address: string): string => (URL.canParse(address) && new URL(address).host) || address
