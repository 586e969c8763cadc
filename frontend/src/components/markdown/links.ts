/** Links in texts that are shown: they open in the user's own browser, after a question. */
import { defineStore } from 'pinia'
import { shallowRef } from 'vue'

import { openLink } from '../../api/bridge'
import { faultOf, type Fault } from '../../api/fault'

export const useLinks = defineStore('links', () => {
  /** The address that is asked about; null when none is. */
  const asked = shallowRef<URL | null>(null)
  /** Why the address that is asked about was not opened. */
  const fault = shallowRef<Fault | null>(null)
  /** The hosts that were agreed to since the window opened. */
  const agreed = new Set<string>()

  /** Opens a web or mail address; asks first, for each host once. */
  async function follow(address: string): Promise<void> {
    if (!URL.canParse(address)) return
    const link = new URL(address)
    // What stands before an @ looks like the host, and neither a model nor a file has a login to give.
    link.username = ''
    link.password = ''
    if (agreed.has(link.host)) await open(link)
    else ask(link, null)
  }

  /** The user agreed to the address that is asked about. */
  async function agree(): Promise<void> {
    const link = asked.value
    if (!link) return
    // A mail address has no host: it is asked about each time.
    if (link.host !== '') agreed.add(link.host)
    await open(link)
  }

  /** Takes what is done to a link in a text: the page itself never goes anywhere. */
  function press(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link) return
    event.preventDefault()
    const address = link.getAttribute('href')
    if (address !== null && event.type === 'click') void follow(address)
  }

  function dismiss(): void {
    asked.value = null
    fault.value = null
  }

  function ask(link: URL, why: Fault | null): void {
    fault.value = why
    asked.value = link
  }

  async function open(link: URL): Promise<void> {
    try {
      await openLink(link.href)
      dismiss()
    } catch (reason) {
      ask(link, faultOf(reason))
    }
  }

  return { asked, fault, follow, press, agree, dismiss }
})
