/** The shapes of MCP servers that the page and the program exchange. */
import type { desktop, mcp, message } from '../../wailsjs/go/models'
import type { Level } from './types'

/** A server as it is for the open folder. */
export interface Server extends Omit<desktop.Server, 'grant' | 'difference' | 'level'> {
  /** Empty where it has not run yet. */
  level: Level | ''
  grant: ServerGrant | null
  difference: ServerDifference | null
}

export interface ServerList extends Omit<desktop.ServerList, 'servers'> {
  servers: Server[]
}

export type ServerGrant = desktop.ServerGrant
export type ServerTool = desktop.ServerTool
export type ServerSwitch = desktop.ServerSwitch
export type ServerText = desktop.ServerText
export type ServerOffer = desktop.ServerOffer
export type FoundServer = desktop.FoundServer
export type FoundServers = desktop.FoundServers
export type AddedServer = desktop.AddedServer
export type KeptValue = desktop.KeptValue
/** How the tools of a server differ from those that the user agreed to. */
export type ServerDifference = mcp.Difference
/** A call of a tool of a server, as a question shows it. */
export type ServerCall = message.ServerCall
