/** Commands of a conversation, for tests. */
import type { Process } from '../api/processes'
import { begin } from './events'

/** A command that runs in the background since a second after the tests' runs began. */
export const process = (callId: string, more: Partial<Process> = {}): Process => ({
  id: 'p1',
  callId,
  command: 'npm run dev',
  level: 'full',
  network: false,
  background: true,
  running: true,
  startedAt: begin + 1000,
  endedAt: 0,
  exitCode: 0,
  signal: '',
  failed: '',
  notices: [],
  ...more,
})

/** The same in the foreground. */
export const foreground = (callId: string, more: Partial<Process> = {}): Process =>
  process(callId, { id: '', background: false, ...more })

/** The same once it has ended, a minute after its start. */
export const exited = (callId: string, exitCode: number, more: Partial<Process> = {}): Process =>
  process(callId, { running: false, endedAt: begin + 61_000, exitCode, ...more })
