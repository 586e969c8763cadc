import { Fault, parseFault } from './fault'
import type { ProcessList, ProcessOutput } from './processes'
import type { FoundServers, ServerList, ServerOffer, ServerText } from './servers'
import type {
  Attached,
  Context,
  DraftView,
  Envelope,
  FilePreview,
  Finding,
  KnownFiles,
  Found,
  Listing,
  Memory,
  NameList,
  OfferedModels,
  Review,
  ReviewText,
  RunList,
  SessionList,
  SettingsList,
  State,
  SuggestionList,
  SuggestionText,
  UndoPlan,
  UndoTask,
} from './types'

/* What is too large for a call or an event is read from the program's own
   address, like the page itself, and pictures are sent there. */

const root = '/fairlead/'

/** How long a read may take, in milliseconds. */
const readTime = 30_000
/** The same where commands and servers are tried. */
const doctorTime = 60_000
/** The same where a registry of packages is asked. */
const offerTime = 300_000

/** Reads JSON from an address of the program, or what it answers to what is sent there. Rejects with
    a Fault. */
export async function read<T>(address: string, sent: RequestInit = {}, limit = readTime): Promise<T> {
  let answer: Response
  let text: string
  try {
    answer = await fetch(address, { ...sent, cache: 'no-store', signal: AbortSignal.timeout(limit) })
    text = await answer.text()
  } catch (cause) {
    throw new Fault('UNREACHABLE', `read ${address}: ${String(cause)}`)
  }
  if (answer.ok) return JSON.parse(text) as T
  throw parseFault(text) ?? new Fault('INTERNAL', `read ${address}: status ${answer.status}`)
}

/** Everything the page shows besides the events of runs. */
export const readState = (): Promise<State> => read(`${root}state`)

/** What fills the model's context with a conversation, and what its steps took; an empty id is the one that
    begins next. */
export const readContext = (sessionId: string): Promise<Context> =>
  read(`${root}context?session=${encodeURIComponent(sessionId)}`)

/** What the settings file can say and says; it is read again for that. */
export const readSettings = (): Promise<SettingsList> => read(`${root}settings`)

/** What is well and what is missing on this computer. */
export const readDoctor = (): Promise<Finding[]> => read(`${root}doctor`, {}, doctorTime)

/** What the folder suggested when it was looked at last. */
export const readSuggestions = (): Promise<SuggestionList> => read(`${root}suggestions`)

/** One thing that the folder suggests, as it is now; of a skill with the text of a file, SKILL.md where
    none is named. */
export const readSuggestion = (kind: string, path: string, file = ''): Promise<SuggestionText> =>
  read(`${root}suggestion?${new URLSearchParams({ kind, path, ...(file && { file }) })}`)

/** What is noted about the open folder. */
export const readMemory = (): Promise<Memory> => read(`${root}memory`)

/** Sends a picture that was pasted, which goes with what is said next. */
export const sendPicture = (picture: File): Promise<Attached> =>
  read(`${root}pictures?name=${encodeURIComponent(picture.name)}`, { method: 'POST', body: picture })

/** The names of the models that the last test of a provider listed. */
export const readModels = (): Promise<string[]> => read(`${root}models`)

/** The models of the provider in use, as it last said; `fresh` has it asked once more. */
export const readOffered = (fresh: boolean): Promise<OfferedModels> =>
  read(`${root}offered${fresh ? '?fresh' : ''}`)

/** The conversations: those of other folders in which something runs, then those of the open folder, the
    pinned ones first; or the archived ones of that. */
export const readSessions = (limit: number, archived = false): Promise<SessionList> =>
  read(`${root}sessions?limit=${limit}${archived ? '&archived=true' : ''}`)

/** What a text is found in: all conversations, or one of them. Only the last one asked for is answered. */
export const findText = (text: string, sessionId = ''): Promise<Found> =>
  read(`${root}search?text=${encodeURIComponent(text)}&session=${encodeURIComponent(sessionId)}`)

/** The conversations of all folders whose title has some words, the last ones worked on first. */
export const findTitles = (text: string): Promise<SessionList> =>
  read(`${root}titles?text=${encodeURIComponent(text)}`)

/** The runs of a conversation that precede one of them, as far as they come at once, or from another one
    of them on. */
export function readEarlier(sessionId: string, before: string, from = ''): Promise<RunList> {
  const query = new URLSearchParams({ before, ...(from && { from }) })
  return read(`${root}sessions/${encodeURIComponent(sessionId)}/runs?${query}`)
}

/** One level of the workspace; the empty path is the workspace itself. */
export const readTree = (path: string): Promise<Listing> =>
  read(`${root}tree?path=${encodeURIComponent(path)}`)

/** The files and folders of the workspace that fit what is typed of their paths. */
export const readNames = (typed: string): Promise<NameList> =>
  read(`${root}names?typed=${encodeURIComponent(typed)}`)

/** Which of some names are files of the workspace to look at; at most 100. */
export const readKnown = (names: readonly string[]): Promise<KnownFiles> =>
  read(`${root}known?${new URLSearchParams(names.map((name) => ['name', name]))}`)

/** The beginning of a file of the workspace; of a document what comes at once from a page, slide,
    chapter or row on. */
export const readFile = (path: string, first = 1): Promise<FilePreview> =>
  read(`${root}file?path=${encodeURIComponent(path)}${first > 1 ? `&first=${first}` : ''}`)

/** A conversation as Markdown. */
export const readMarkdown = (sessionId: string): Promise<string> =>
  read(`${root}sessions/${encodeURIComponent(sessionId)}/markdown`)

/** What is in the draft of a conversation; of an empty id where it has none. */
export const readDraft = (sessionId: string): Promise<DraftView> =>
  read(`${root}sessions/${encodeURIComponent(sessionId)}/draft`)

/** What a run changed in the folder, path by path. */
export const readReview = (runId: string): Promise<Review> =>
  read(`${root}runs/${encodeURIComponent(runId)}/changes`)

/** How the text at a path changed; the row is one of the run's review. */
export const readReviewText = (runId: string, row: string): Promise<ReviewText> =>
  read(`${root}runs/${encodeURIComponent(runId)}/changes/${row}`)

/** How the text at a path changed in one change set. */
export const readChangeText = (runId: string, setId: string, path: string): Promise<ReviewText> =>
  read(
    `${root}runs/${encodeURIComponent(runId)}/sets/${encodeURIComponent(setId)}?path=${encodeURIComponent(path)}`,
  )

/** What an undo would do, path by path. */
export function readUndo({ runId, callId, row, since, redo }: UndoTask): Promise<UndoPlan> {
  const query = new URLSearchParams()
  if (callId) query.set('call', callId)
  if (row) query.set('row', row)
  if (since) query.set('since', '')
  if (redo) query.set('redo', '')
  return read(`${root}runs/${encodeURIComponent(runId)}/undo?${query}`)
}

/** The servers that the user has added, as they are for the folder. */
export const readServers = (): Promise<ServerList> => read(`${root}servers`)

/** The servers of a text, of which nothing is added. The values in it are not in the answer. */
export const readServerText = (text: ServerText): Promise<FoundServers> =>
  read(`${root}servers/text`, { method: 'POST', body: JSON.stringify(text) })

/** What would be installed for one of them, as the registry of packages says over the network. */
export const readServerOffer = (id: string, name: string): Promise<ServerOffer> =>
  read(`${root}servers/offer?${new URLSearchParams({ id, name })}`, {}, offerTime)

/** The commands of the conversation that is shown, the newest first. */
export const readProcesses = (): Promise<ProcessList> => read(`${root}processes`)

/** What the command of a call wrote, from a place on that counts bytes; more may follow at once. */
export const readOutput = (callId: string, from: number): Promise<ProcessOutput> =>
  read(`${root}processes/${encodeURIComponent(callId)}/output?from=${from}`)

/**
 * The events of a run after a seq: deltas whole, other long ones cut, with a ref. Of
 * a run that has ended, deltas that follow each other are one, so seqs may be left out.
 */
export const readEvents = (runId: string, after: number): Promise<Envelope[]> =>
  read(`${root}runs/${encodeURIComponent(runId)}/events?after=${after}`)

/** The whole of an event that was cut, by its ref. */
export const readWhole = (ref: string): Promise<Envelope> => read(ref)
