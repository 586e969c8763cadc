/*
 * The calls that change something. Each rejects with a Fault, and none waits for
 * ever: a call into the program can in theory be lost.
 */
import * as App from '../../wailsjs/go/main/App'
import * as Changes from '../../wailsjs/go/desktop/Changes'
import * as Files from '../../wailsjs/go/desktop/Files'
import * as Folders from '../../wailsjs/go/desktop/Folders'
import * as Models from '../../wailsjs/go/desktop/Models'
import * as Pictures from '../../wailsjs/go/desktop/Pictures'
import * as Preferences from '../../wailsjs/go/desktop/Preferences'
import * as Processes from '../../wailsjs/go/desktop/Processes'
import * as Servers from '../../wailsjs/go/desktop/Servers'
import * as Sessions from '../../wailsjs/go/desktop/Sessions'
import * as Settings from '../../wailsjs/go/desktop/Settings'
import * as runtime from '../../wailsjs/runtime/runtime'
import { Fault, faultOf } from './fault'
import type { AddedServer, KeptValue, ServerGrant } from './servers'
import type {
  Answer,
  Answered,
  ApproveMode,
  Attached,
  Cancelled,
  DraftChoice,
  Dropped,
  Forked,
  GuardAnswer,
  WindowLayout,
  LocalServer,
  Model,
  ModelChoice,
  ModelFacts,
  Name,
  NoticeKind,
  Moved,
  OwnPlace,
  OwnProvider,
  Provider,
  Queued,
  SavedModel,
  Space,
  Started,
  Target,
  TestedModel,
  Theme,
  UndoTask,
  Undone,
  Workspace,
} from './types'

/** How long a call may take, in milliseconds. */
const callTime = 60_000
/** The same where the user may have to unlock the keyring first. */
const unlockTime = 75_000

async function call<T>(name: string, start: () => Promise<T>, limit = callTime): Promise<T> {
  let timer: number | undefined
  const late = new Promise<never>((_, reject) => {
    if (limit === Infinity) return
    timer = window.setTimeout(() => {
      reject(new Fault('NO_ANSWER', `${name} got no answer in ${limit / 1000} s`))
    }, limit)
  })
  try {
    return await Promise.race([start(), late])
  } catch (reason) {
    throw faultOf(reason)
  } finally {
    clearTimeout(timer)
  }
}

/** Begins to work on a task in a conversation, with pictures by their ids; without an id of a
    conversation it begins a new one. */
export const run = (prompt: string, sessionId: string, pictures: string[]): Promise<Started> =>
  call('Run', () => App.Run({ prompt, sessionId, pictures }))

/** Goes on with the last run of a conversation where it stopped. */
export const continueRun = (sessionId: string): Promise<Started> =>
  call('Run', () => App.Run({ prompt: '', sessionId, continue: true }))

/** Has what was said in a conversation summed up, for the model. */
export const compactNow = (sessionId: string): Promise<Started> =>
  call('Compact', () => Sessions.Compact(sessionId))

/** Ends a run; may be repeated while it ends. */
export const cancel = (runId: string): Promise<Cancelled> => call('Cancel', () => App.Cancel(runId))

/** Has a run end before its next model call; the tools that run come to their end. */
export const interrupt = (runId: string): Promise<unknown> =>
  call('Interrupt', () => App.Interrupt(runId, ''))

/** Answers the question that has the answer's hash. */
export const confirm = (answer: Answer): Promise<Answered> => call('Confirm', () => App.Confirm(answer))

/** Shows the native dialog of a question again, which was closed. */
export const showDialog = (runId: string, hash: string): Promise<unknown> =>
  call('ShowDialog', () => Sessions.ShowDialog(runId, hash))

/** Begins a conversation with what the one of a run held before that, in a draft with the files as they
    were then, or on the folder as it is. */
export const forkSession = (runId: string, asItWas: boolean): Promise<Forked> =>
  call('Fork', () => Sessions.Fork(runId, asItWas), Infinity)

/** Begins a conversation with what the one of a run held after that, on the folder as it is. */
export const forkAfter = (runId: string): Promise<Forked> =>
  call('ForkAfter', () => Sessions.ForkAfter(runId))

/** Lets a run that a guard has paused go on, or ends it. */
export const decide = (answer: GuardAnswer): Promise<unknown> => call('Decide', () => App.Decide(answer))

/** Gives the user the whole time again to answer the question about a call, or a guard's. */
export const extend = (runId: string, id: string): Promise<unknown> =>
  call('Extend', () => Sessions.Extend(runId, id))

/** Ends the wait before the next attempt at a model call. */
export const retryNow = (runId: string): Promise<unknown> => call('RetryNow', () => Sessions.RetryNow(runId))

/** Says something to a conversation whose run is active, with pictures by their ids; where none is,
    a run begins with it. */
export const queue = (sessionId: string, text: string, target: Target, pictures: string[]): Promise<Queued> =>
  call('Queue', () => Sessions.Queue(sessionId, text, target, pictures))

/** Asks for files in a native dialog, and returns their paths; none is no fault. */
export const chooseFiles = (): Promise<string[]> => call('ChooseFiles', () => Folders.ChooseFiles(), Infinity)

/** Takes the picture on the clipboard, of which the page is not always told; none is no fault. */
export const pastePicture = (): Promise<Attached[]> => call('PastePicture', () => Pictures.Paste())

/** Says where what was dropped on the window lies. */
export const locate = (paths: string[]): Promise<Dropped[]> => call('Locate', () => Folders.Locate(paths))

/** Copies files to the top of the folder. */
export const copyIn = (paths: string[]): Promise<Name[]> =>
  call('CopyIn', () => Folders.CopyIn(paths), Infinity)

/** Takes pictures that were dropped on the window, by their paths. */
export const addPictures = (paths: string[]): Promise<Attached[]> =>
  call('AddPictures', () => Pictures.Add(paths))

/** Takes a picture back that was not sent. */
export const removePicture = (id: string): Promise<unknown> =>
  call('RemovePicture', () => Pictures.Remove(id))

/** Changes what waits. */
export const changePrompt = (
  sessionId: string,
  promptId: string,
  text: string,
  target: Target,
): Promise<unknown> => call('ChangePrompt', () => Sessions.ChangePrompt(sessionId, promptId, text, target))

/** Takes back what waits. */
export const removePrompt = (sessionId: string, promptId: string): Promise<unknown> =>
  call('RemovePrompt', () => Sessions.RemovePrompt(sessionId, promptId))

/** Begins a run with what waits; the current run is interrupted for it. */
export const sendNow = (sessionId: string, promptId: string): Promise<unknown> =>
  call('SendNow', () => Sessions.SendNow(sessionId, promptId))

/** Switches tools of a conversation on or off, from its next run on. */
export const setGroup = (sessionId: string, name: string, on: boolean): Promise<unknown> =>
  call('SetGroup', () => Sessions.SetGroup(sessionId, name, on))

/** Ends the command of a call with all its processes, one that the call waits for too. */
export const killProcess = (callId: string): Promise<unknown> => call('Kill', () => Processes.Kill(callId))

/** Moves the command that a call waits for to the background, where it has an id. */
export const moveToBackground = (callId: string): Promise<Moved> => call('Move', () => Processes.Move(callId))

/** Takes back what a run, a call or more changed in the folder, or makes it again. */
export const undo = (task: UndoTask): Promise<Undone> => call('Undo', () => Changes.Undo(task), Infinity)

/** Applies what is chosen of a draft as it was shown: without paths all but what is held. */
export const applyDraft = (sessionId: string, hash: string, choice: DraftChoice): Promise<unknown> =>
  call('ApplyDraft', () => Changes.ApplyDraft(sessionId, hash, choice), Infinity)

/** Drops a draft. */
export const dropDraft = (sessionId: string): Promise<unknown> =>
  call('DropDraft', () => Changes.DropDraft(sessionId), Infinity)

/** Takes a draft back that was dropped. */
export const restoreDraft = (sessionId: string, draftId: string): Promise<unknown> =>
  call('RestoreDraft', () => Changes.RestoreDraft(sessionId, draftId))

/** Applies what was set aside: the changes at these paths, or all where there are none. */
export const applyAside = (runId: string, id: string, paths: string[]): Promise<unknown> =>
  call('ApplyAside', () => Changes.ApplyAside(runId, id, paths), Infinity)

/** Lets go of what was set aside. */
export const dropAside = (runId: string, id: string): Promise<unknown> =>
  call('DropAside', () => Changes.DropAside(runId, id), Infinity)

/** Has the parts of a change taken back that the headers name, and the others be there. */
export const chooseHunks = (runId: string, row: string, headers: string[]): Promise<unknown> =>
  call('ChooseHunks', () => Changes.ChooseHunks(runId, row, headers))

/** How much is kept to take changes back. */
export const undoSpace = (): Promise<Space> => call('Space', () => Changes.Space())

/** Lets go of what is kept to take changes back; returns how much is left. */
export const freeUndo = (): Promise<Space> => call('Free', () => Changes.Free(), Infinity)

/** Decides whether something that the folder suggests is used, as it is with that hash. */
export const useSuggestion = (kind: string, path: string, sha256: string, use: boolean): Promise<unknown> =>
  call('UseSuggestion', () => Folders.UseSuggestion(kind, path, sha256, use))

/** Replaces what is noted about the folder, of which that version was edited; an empty text removes it. */
export const saveMemory = (text: string, version: string): Promise<unknown> =>
  call('SaveMemory', () => Folders.SaveMemory(text, version))

/** Adds a server as it was shown, and lets it run for the folder. It can ask in a native dialog. */
export const addServer = (added: AddedServer): Promise<KeptValue> =>
  call('AddServer', () => Servers.Add(added), Infinity)

/** Lets a server that has this hash run for the folder. It can ask in a native dialog. */
export const grantServer = (name: string, hash: string, grant: ServerGrant): Promise<unknown> =>
  call('GrantServer', () => Servers.Grant(name, hash, grant), Infinity)

/** Agrees to the tools of a server that have this hash. */
export const agreeServer = (name: string, hash: string): Promise<unknown> =>
  call('AgreeServer', () => Servers.Agree(name, hash))

/** Ends a server for the folder. */
export const revokeServer = (name: string): Promise<unknown> =>
  call('RevokeServer', () => Servers.Revoke(name))

/** Removes a server, for all folders. */
export const removeServer = (name: string): Promise<unknown> =>
  call('RemoveServer', () => Servers.Remove(name))

/** Starts a server again; its state says what came of it. */
export const tryServer = (name: string): Promise<unknown> => call('TryServer', () => Servers.Try(name))

/** Keeps the value of a variable or a header of a server. */
export const setServerValue = (name: string, variable: string, value: string): Promise<KeptValue> =>
  call('SetServerValue', () => Servers.SetValue(name, variable, value), unlockTime)

/** Has the user sign in to a server in the browser, after a native dialog with the whole address. */
export const signInServer = (name: string): Promise<unknown> =>
  call('SignInServer', () => Servers.SignIn(name), Infinity)

/** Has nothing used of what the folder suggests and nothing is decided about. */
export const skipSuggestions = (): Promise<unknown> =>
  call('SkipSuggestions', () => Folders.SkipSuggestions())

/** Has the conversations of a folder that was moved stay with the open one, or not. */
export const takeOver = (from: string, take: boolean): Promise<unknown> =>
  call('TakeOver', () => Folders.TakeOver(from, take))

/** Asks for a folder in a native dialog and opens it; the path is empty when none was chosen. */
export const chooseFolder = (): Promise<Workspace> => call('Choose', () => Folders.Choose(), Infinity)

/** Opens a folder by its absolute path. */
export const openFolder = (path: string): Promise<Workspace> => call('Open', () => Folders.Open(path))

/** Makes a folder under the user's documents and opens it. */
export const createFolder = (name: string): Promise<Workspace> => call('Create', () => Folders.Create(name))

/** The known providers. */
export const providers = (): Promise<Provider[]> => call('Providers', () => Models.Providers())

/** The model servers that answer on this computer. */
export const detect = (): Promise<LocalServer[]> => call('Detect', () => Models.Detect())

/** The providers that the user named. */
export const ownProviders = (): Promise<OwnProvider[]> => call('OwnProviders', () => Models.OwnProviders())

/** Keeps a provider that the user named, in place of the one with its name. It can ask in a native dialog. */
export const saveProvider = (own: OwnProvider): Promise<unknown> =>
  call('SaveProvider', () => Models.SaveProvider(own), Infinity)

/** Removes a provider that the user named. */
export const removeProvider = (name: string): Promise<unknown> =>
  call('RemoveProvider', () => Models.RemoveProvider(name))

/** Keeps a model to be chosen again. */
export const favour = (model: SavedModel): Promise<unknown> => call('Favour', () => Models.Favour(model))

/** Keeps it no longer. */
export const unfavour = (model: SavedModel): Promise<unknown> =>
  call('Unfavour', () => Models.Unfavour(model))

/**
 * Asks a provider for its models; readModels has them afterwards. A model that is
 * named is asked for a tool call then.
 */
export const testModel = (choice: ModelChoice): Promise<TestedModel> =>
  call('Test', () => Models.Test(choice) as Promise<TestedModel>)

/** Rejects with the Fault NO_KEY where a model needs a key of which none is known. */
export const checkKey = (model: SavedModel): Promise<unknown> =>
  call('CheckKey', () => Models.CheckKey(model))

/** What is known of each of these models. */
export const modelFacts = (models: SavedModel[]): Promise<ModelFacts[]> =>
  call('Facts', () => Models.Facts(models))

/** Chooses a model and keeps a typed key. The Fault KEYRING means that the key was not kept. */
export const chooseModel = (choice: ModelChoice): Promise<Model> =>
  call('Use', () => Models.Use(choice) as Promise<Model>, Infinity)

/** Forgets what refusals have taught of a model. */
export const forgetLessons = (choice: ModelChoice): Promise<unknown> =>
  call('ForgetLessons', () => Models.ForgetLessons(choice))

/** Removes the key that is kept for a provider and an address. */
export const forgetKey = (choice: ModelChoice): Promise<unknown> =>
  call('ForgetKey', () => Models.ForgetKey(choice), unlockTime)

/** Shows a new conversation in the same folder; it is kept from its first task on. */
export const newConversation = (): Promise<unknown> => call('New', () => Sessions.New())

/** Shows a conversation. */
export const showSession = (id: string): Promise<unknown> => call('Show', () => Sessions.Show(id))

/** Gives a conversation another title. */
export const renameSession = (id: string, title: string): Promise<unknown> =>
  call('Rename', () => Sessions.Rename(id, title))

/** Pins or unpins a conversation. */
export const pinSession = (id: string, on: boolean): Promise<unknown> =>
  call('Pin', () => Sessions.Pin(id, on))

/** Archives a conversation, or brings it back. */
export const archiveSession = (id: string, on: boolean): Promise<unknown> =>
  call('Archive', () => Sessions.Archive(id, on))

/** Takes a conversation off the list; for a moment restoreSession brings it back. */
export const deleteSession = (id: string): Promise<unknown> => call('Delete', () => Sessions.Delete(id))

/** Brings back a conversation that was deleted a moment ago. */
export const restoreSession = (id: string): Promise<unknown> => call('Restore', () => Sessions.Restore(id))

/** Starts the guided tour in a sample folder. */
export const startTour = (): Promise<Started> => call('Tour', () => Sessions.Tour())

/** Ends the guided tour; the folder of before is open again. */
export const leaveTour = (): Promise<unknown> => call('LeaveTour', () => Sessions.LeaveTour())

/** Sets what is asked about in a conversation; an empty id means the one that begins next. */
export const setApprove = (sessionId: string, mode: ApproveMode): Promise<unknown> =>
  call('SetApprove', () => Sessions.SetApprove(sessionId, mode))

/** Lets the commands of a conversation read a file with keys, once the user has agreed in a dialog. */
export const letRead = (sessionId: string, path: string): Promise<unknown> =>
  call('LetRead', () => Sessions.LetRead(sessionId, path), Infinity)

/** Ends the current runs and closes the window. */
export const quit = (): Promise<unknown> => call('Quit', () => Sessions.Quit())

/** Sets the language: empty for the system's. */
export const setLanguage = (chosen: '' | 'en' | 'zh-CN'): Promise<unknown> =>
  call('SetLanguage', () => Preferences.SetLanguage(chosen))

/** Sets the theme: empty for the system's. */
export const setTheme = (theme: Theme): Promise<unknown> =>
  call('SetTheme', () => Preferences.SetTheme(theme))

/** Switches the system's notices of a kind on or off. */
export const setNotice = (kind: NoticeKind, on: boolean): Promise<unknown> =>
  call('SetNotice', () => Preferences.SetNotice(kind, on))

/** Reports whether the page has the keyboard. */
export const setFront = (front: boolean): Promise<unknown> =>
  call('SetFront', () => Preferences.SetFront(front))

/** Remembers how the parts of the window are arranged. */
export const setLayout = (layout: WindowLayout): Promise<unknown> =>
  call('SetLayout', () => Preferences.SetLayout(layout))

/** Writes a setting into the settings file; an empty value takes it out. What loosens something is
    asked about in a native dialog. */
export const setSetting = (key: string, value: string): Promise<unknown> =>
  call('Set', () => Settings.Set(key, value), Infinity)

/** Opens one of Fairlead's own files or folders in the user's own program for it. */
export const openOwn = (which: OwnPlace): Promise<unknown> => call('Open', () => Settings.Open(which))

/** Rebuilds the index of the search. */
export const rebuildIndex = (): Promise<unknown> =>
  call('RebuildIndex', () => Settings.RebuildIndex(), Infinity)

/** Opens a web or mail address in the user's own programs; ask the user first. */
export const openLink = (address: string): Promise<unknown> =>
  call('OpenLink', () => Preferences.OpenLink(address))

/** Opens a file of the folder in the user's own program for it. */
export const openFile = (path: string): Promise<unknown> => call('OpenFile', () => Files.Open(path))

/** Shows a file of the folder in the system's file manager. */
export const revealFile = (path: string): Promise<unknown> => call('RevealFile', () => Files.Reveal(path))

/** Says what the window is called in a list of windows. */
export const setTitle = (title: string): void => runtime.WindowSetTitle(title)

/** Puts a text on the clipboard. */
export async function copyText(text: string): Promise<void> {
  const done = await call('ClipboardSetText', () => runtime.ClipboardSetText(text))
  if (!done) throw new Fault('INTERNAL', 'the clipboard took nothing')
}

/**
 * Calls back with the paths of what is dropped on an element with the style
 * `--wails-drop-target: drop`. What is dropped is not to be trusted.
 */
export function onDrop(dropped: (paths: string[]) => void): void {
  runtime.OnFileDrop((_x, _y, paths) => {
    if (paths.length > 0) dropped(paths)
  }, true)
}
