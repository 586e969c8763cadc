/** What servers are and may do, in the words of the language that is shown. */
import type { Server, ServerCall, ServerGrant } from '../../api/servers'
import { t, type Key } from '../../i18n'
import { inline } from '../../text/visible'

const join = (texts: readonly string[]): string => texts.map(inline).join(t('servers.between'))

/** Where a server is in its life. */
export function stateOf(server: Server): string {
  if (server.grant === null) return t('servers.states.off')
  if (server.state === 'suspended' && !server.agreed) return t('servers.states.new')
  return t(`servers.states.${server.state}` as Key)
}

/** What a server may do, in a few words each. */
export function grantOf(
  grant: Pick<ServerCall, 'folder' | 'hosts' | 'variables'> | ServerGrant,
  elsewhere: boolean,
): string[] {
  if (elsewhere) return [t('servers.grant.elsewhere')]
  const { hosts = [], variables = [] } = grant
  const folder = grant.folder === 'read' || grant.folder === 'write' ? grant.folder : 'none'
  return [
    t(`servers.grant.${folder}`),
    hosts.length > 0 ? t('servers.grant.hosts', { hosts: join(hosts) }) : t('servers.grant.offline'),
    ...(variables.length > 0 ? [t('servers.grant.variables', { names: join(variables) })] : []),
  ]
}

/** How far the system holds a server to its grant; empty where nobody knows. */
export function heldOf(level: string, hosts: readonly string[], elsewhere: boolean): string {
  if (elsewhere || level === '') return ''
  if (level === 'limited' || level === 'none')
    return t(hosts.length > 0 ? 'servers.held.starts' : `servers.held.${level}`)
  return hosts.length > 0 ? `${t('servers.held.full')} ${t('servers.held.hosts')}` : t('servers.held.full')
}
