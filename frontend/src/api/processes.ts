/* What the page is told of the commands of a conversation. */
import type { Level, Notice } from './types'

/** A command of the conversation. Times are milliseconds since 1970. */
export interface Process {
  /** p1, p2, …; empty in the foreground. */
  id: string
  /** The call that started it. */
  callId: string
  command: string
  level: Level
  /** It has the network. */
  network: boolean
  /** No call waits for it. */
  background: boolean
  running: boolean
  startedAt: number
  /** 0 while it runs. */
  endedAt: number
  /** -1 when a signal ended it, or when that is not known. */
  exitCode: number
  /** The name of that signal; empty without one. */
  signal: string
  /** Why it was not run; empty for one that was. */
  failed: string
  /** What it has left in the folder and the user should know of. */
  notices: Notice[]
}

export interface ProcessList {
  processes: Process[]
}

/** A part of what a command wrote, with the sequences that colour it. */
export interface ProcessOutput {
  text: string
  /** Where the text begins in all of it, in bytes: later than asked for where older text is gone. */
  from: number
  /** Where it ends. */
  next: number
  running: boolean
}
