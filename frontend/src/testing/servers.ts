/** Servers for tests. */
import type { FoundServer, Server, ServerTool } from '../api/servers'

export const toolOf = (name: string, more: Partial<ServerTool> = {}): ServerTool => ({
  name,
  title: '',
  description: `Does ${name}.`,
  cut: 0,
  readOnly: false,
  text: `${name}\ndescription: Does ${name}.`,
  ...more,
})

export const serverOf = (more: Partial<Server> = {}): Server => ({
  name: 'notes',
  kind: 'stdio',
  runs: '/usr/bin/notes --quiet',
  variables: [],
  headers: [],
  package: '',
  private: false,
  hash: 'server-hash',
  grant: { folder: 'none', hosts: [], variables: [] },
  state: 'ready',
  reason: '',
  asksAtStart: false,
  level: 'full',
  agreed: true,
  toolsHash: 'tools-hash',
  tools: [toolOf('read')],
  difference: null,
  leftOut: [],
  log: [],
  on: true,
  ...more,
})

export const foundOf = (more: Partial<FoundServer> = {}): FoundServer => ({
  name: 'notes',
  kind: 'stdio',
  runs: '/usr/bin/notes --quiet',
  variables: [],
  headers: [],
  hash: 'definition-hash',
  fetches: false,
  replaces: false,
  nearby: '',
  needs: [],
  notTaken: [],
  refused: '',
  ...more,
})
