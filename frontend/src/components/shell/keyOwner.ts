import type { Provider } from '../../api/types'

/**
 * The provider that a key surely belongs to, by how it begins; undefined where that
 * says nothing. The longest beginning decides.
 */
export function providerOfKey(key: string, providers: readonly Provider[]): Provider | undefined {
  let owner: Provider | undefined
  let longest = 0
  for (const each of providers) {
    for (const prefix of each.keyPrefixes) {
      if (prefix.length <= longest || !key.startsWith(prefix)) continue
      owner = each
      longest = prefix.length
    }
  }
  return owner
}
