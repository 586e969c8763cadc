/** What the user grants a server in a form. */
import type { ServerGrant } from '../../api/servers'

export interface GrantDraft {
  folder: 'none' | 'read' | 'write'
  /** One host a line. */
  hosts: string
  variables: string[]
  /** What was typed for variables and headers, by name. */
  values: Record<string, string>
}

/** A form with what is granted already; without a grant it has all variables. */
export function draftOf(grant: ServerGrant | null, variables: readonly string[]): GrantDraft {
  const folder = grant?.folder === 'read' || grant?.folder === 'write' ? grant.folder : 'none'
  return {
    folder,
    hosts: (grant?.hosts ?? []).join('\n'),
    variables: [...(grant?.variables ?? variables)],
    values: {},
  }
}

/** What the form grants. */
export const grantFrom = ({ folder, hosts, variables }: GrantDraft): ServerGrant => ({
  folder,
  hosts: hosts
    .split(/[\s,]+/u)
    .map((host) => host.trim())
    .filter(Boolean),
  variables,
})
