/** Links that the model wrote: they open in the person's own browser, after a question. */
import { shallowRef } from 'vue'

import { openLink } from '../../api/bridge'
import { faultOf, type Fault } from '../../api/fault'

/** The address that is asked about; null when none is. */
export const asked = shallowRef<URL | null>(null)
/** Why the address that is asked about was not opened. */
export const linkFault = shallowRef<Fault | null>(null)

/** The hosts that were agreed to since the window opened. */
const agreed = new Set<string>()

/** Opens a web or mail address; asks first, for each host once. */
export async function follow(address: string): Promise<void> {
  if (!URL.canParse(address)) return
  const link = new URL(address)
  if (link.host !== '' && agreed.has(link.host)) await open(link)
  else ask(link)
}

/** The person agreed to the address that is asked about. */
export async function agree(): Promise<void> {
  const link = asked.value
  if (!link) return
  if (link.host !== '') agreed.add(link.host)
  await open(link)
}

export function dismiss(): void {
  asked.value = null
  linkFault.value = null
}

function ask(link: URL, fault: Fault | null = null): void {
  linkFault.value = fault
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
