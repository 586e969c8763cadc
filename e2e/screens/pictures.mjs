import { PNG } from 'pngjs'

import { beingSummed, filled, notSummed, summed, unfilled } from './context.mjs'
import { findings, settingsList } from './settings.mjs'
import {
  ask,
  changed,
  changedFiles,
  copied,
  drafted,
  printed,
  atTests,
  circling,
  commands,
  conversations,
  files,
  folder,
  judged,
  longDiff,
  now,
  office,
  officeFiles,
  Run,
  reading,
  said,
  session,
  spent,
  setAside,
  testing,
  titles,
  tree,
  unheardOf,
  waiting,
  writing,
  written,
} from './story.mjs'
import { changedServers, found as foundServers, noServers, serverCall, servers } from './servers.mjs'
import { noted, notedMeanwhile, rewritten, suggested, suggestions, unnoted } from './suggestions.mjs'

/**
 * @typedef {import('./story.mjs').Language} Language
 * @typedef {import('./story.mjs').Envelope} Envelope
 *
 * @typedef {object} Scene what the program would answer
 * @property {object} state
 * @property {Record<string, Envelope[]>} [runs]
 * @property {object[]} [sessions] the list of conversations
 * @property {number} [archived] how many others are archived
 * @property {Record<string, object>} [tree]
 * @property {Record<string, object>} [files]
 * @property {Record<string, object>} [reads] what else is read, by address
 * @property {string[]} [models]
 * @property {Record<string, {value?: unknown, fault?: object}>} [answers] of bound methods
 * @property {Envelope[]} [news] what comes once the page stands
 *
 * @typedef {object} Picture
 * @property {string} name
 * @property {(language: Language) => Scene} scene
 * @property {(page: import('playwright-core').Page, t: (key: string, params?: object) => string) => Promise<void>} [act]
 *   what the user did
 * @property {{width: number, height: number}} [size]
 */

const model = {
  provider: 'ollama',
  title: 'Ollama',
  baseUrl: 'http://localhost:11434/v1',
  model: 'qwen3:8b',
  needsKey: false,
  keySource: '',
  effort: '',
  window: 32_768,
  priced: true,
  price: { prompt: 0, completion: 0, cached: 0 },
  reasons: false,
  url: 'http://localhost:11434/v1/chat/completions',
  lessons: [],
}

/** One that costs money. */
const paid = {
  ...model,
  provider: 'openrouter',
  title: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  model: 'qwen/qwen3-coder',
  needsKey: true,
  keySource: 'keyring',
  window: 262_144,
  price: { prompt: 0.22, completion: 0.95, cached: 0.06 },
  reasons: true,
  url: 'https://openrouter.ai/api/v1/chat/completions',
}

const providers = [
  ['openai', 'OpenAI', 'https://api.openai.com/v1', 'OPENAI_API_KEY', 'sk-proj-'],
  ['deepseek', 'DeepSeek', 'https://api.deepseek.com', 'DEEPSEEK_API_KEY'],
  ['ollama', 'Ollama', 'http://localhost:11434/v1', ''],
  ['openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY', 'sk-or-'],
].map(([name, title, baseUrl, keyEnv, ...keyPrefixes]) => ({
  name,
  title,
  aliases: name === 'deepseek' ? ['深度求索'] : [],
  baseUrl,
  needsKey: keyEnv !== '',
  keyEnv,
  local: keyEnv === '',
  own: false,
  keyPrefixes,
}))

const key = 'sk-canary-1234567890'

/** The sets of tools, with those switched off that are named. @param {string[]} off */
const groups = (...off) =>
  [
    { name: 'file', tools: ['edit_file', 'list_files', 'read_file', 'write_file'] },
    { name: 'search', tools: ['search_files'] },
    { name: 'shell', tools: ['shell'] },
  ].map((group) => ({ ...group, on: !off.includes(group.name) }))

/** @param {Partial<Scene['state']>} [more] */
const state = (more = {}) => ({
  version: '0.3.0',
  system: 'linux',
  silent: [],
  layout: {},
  workspace: { path: folder, name: 'date' },
  recent: [folder, '/home/ada/notes', '/home/ada/Documents/Fairlead/Budget'],
  documents: '/home/ada/Documents',
  model,
  favourites: [],
  recentModels: [],
  tour: false,
  approve: 'ask',
  readable: [],
  draft: null,
  nativeDialogs: true,
  limited: '',
  sessionId: session,
  title: '',
  pinned: false,
  archived: false,
  runs: [],
  earlier: false,
  queue: [],
  groups: groups(),
  servers: [],
  suggested: [],
  moved: null,
  warnings: [],
  ...more,
})

/**
 * A scene of the first run.
 * @param {object[]} servers
 * @param {Scene['answers']} [answers]
 * @returns {Picture['scene']}
 */
const welcome =
  (servers, answers = {}) =>
  () => ({
    state: state({ workspace: null, model: null, recent: [], sessionId: '' }),
    models: ['gpt-5.2', 'gpt-5.2-mini', 'o4'],
    answers: {
      'desktop.Models.Providers': { value: providers },
      'desktop.Models.Detect': { value: servers },
      ...answers,
    },
  })

/**
 * A scene of a conversation.
 * @param {(language: Language) => Run | Run[]} tell
 * @param {(scene: Scene) => Partial<Scene>} [more]
 * @returns {Picture['scene']}
 */
const chat =
  (tell, more = () => ({})) =>
  (language) => {
    const runs = [tell(language)].flat()
    const last = runs.at(-1)?.events ?? []
    const scene = {
      state: state({
        sessionId: runs.length > 0 ? session : '',
        title: runs.length > 0 ? titles[language] : '',
        runs: runs.map((run) => ({
          runId: run.id,
          ended: /^lifecycle\.(end|error)$/.test(run.events.at(-1).type),
        })),
      }),
      sessions: runs.length > 0 ? conversations(markOf(last), language) : [],
      runs: Object.fromEntries(runs.map((run) => [run.id, run.events])),
      tree,
      files,
    }
    return { ...scene, ...more(scene) }
  }

/**
 * The same scene with something else in its state.
 * @param {object} more
 * @returns {(scene: Scene) => Partial<Scene>}
 */
const having = (more) => (scene) => ({ state: { ...scene.state, ...more } })

/**
 * A scene of a conversation in which something waits to be said.
 * @param {(language: Language) => Run} tell
 * @returns {Picture['scene']}
 */
const queued = (tell) => (language) => chat(tell, having({ queue: waiting(language) }))(language)

/**
 * How a conversation is marked whose last run has these events.
 * @param {Envelope[]} events
 */
function markOf(events) {
  const last = events.at(-1)
  if (last?.type === 'tool.confirm_request' || last?.type === 'guard.request') return 'waiting'
  return last?.data.reason ?? 'running'
}

/**
 * Runs that ended in these ways, one after the other.
 * @param {Language} language
 * @param {((run: Run) => Run)[]} ends
 */
const endings = (language, ends) =>
  ends.map((end, i) =>
    end(new Run(`run-${i + 1}`, 600_000 - i * 60_000, said[language].other).after(700).next().after(2300)),
  )

/** @param {string} name @param {Picture['scene']} scene @param {Picture['act']} [act] @param {object} [more] */
const picture = (name, scene, act, more) => ({ name, scene, act, ...more })

/** @type {Picture['act']} */
const typeKey = async (page, t) => {
  const provider = page.getByLabel(t('welcome.model.provider'), { exact: true })
  await provider.fill('openai')
  await provider.press('Enter')
  await page.getByLabel(t('welcome.model.key'), { exact: true }).fill(key)
}

/** @type {Picture['act']} */
const testKey = async (page, t) => {
  await typeKey(page, t)
  await page.getByRole('button', { name: t('welcome.model.test'), exact: true }).click()
}

/** @type {Picture['act']} */
const testModel = async (page, t) => {
  await typeKey(page, t)
  await page.getByLabel(t('welcome.model.name'), { exact: true }).fill('gpt-5.2')
  await page.getByRole('button', { name: t('welcome.model.test'), exact: true }).click()
  await page.getByRole('list', { name: t('welcome.model.steps.label'), exact: true }).waitFor()
}

const ollama = {
  provider: 'ollama',
  title: 'Ollama',
  baseUrl: 'http://localhost:11434/v1',
  models: ['qwen3:8b', 'llama3.3:70b', 'gpt-oss:20b', 'gemma3:12b'],
}
const tested = {
  url: 'https://api.openai.com/v1/chat/completions',
  listed: true,
  total: 61,
  known: true,
  ms: 412,
  ref: '/fairlead/models',
  keyChecked: true,
  tools: 'called',
  toolsMs: 1380,
  toolsFault: null,
}

const openai = { provider: 'openai', title: 'OpenAI', baseUrl: 'https://api.openai.com/v1' }

/** Models that are kept at hand. */
const favourites = [paid, model, { ...paid, ...openai, model: 'gpt-5.2', effort: 'high' }].map(
  ({ provider, title, baseUrl, model: name, effort }) => ({
    provider,
    title,
    baseUrl,
    model: name,
    effort,
  }),
)

/** Those that were used: one of them is no favourite. */
const recentModels = [...favourites, { ...favourites[0], model: 'z-ai/glm-4.7', effort: 'medium' }]

/** An endpoint that the user named. */
const lab = {
  name: 'lab',
  title: 'Office gateway',
  baseUrl: 'https://llm.example.com/v1',
  keyEnv: 'WORK_KEY',
  dialect: 'deepseek',
  headers: [{ name: 'X-Team', value: 'tools' }],
  body: '{"top_k":40}',
  writtenCalls: false,
  protocol: '',
  family: '',
  contextWindow: 32_768,
}

/** @type {Picture['scene']} */
const choosing = (language) =>
  chat(
    (words) =>
      new Run('run-1', 12_000, said[words].prompt)
        .after(400)
        .next()
        .after(900)
        .say(said[words].found)
        .end(said[words].found),
    (scene) => ({
      ...having({ model: paid, favourites, recentModels })(scene),
      models: ['qwen/qwen3-coder', 'qwen/qwen3-max', 'z-ai/glm-4.7', 'moonshotai/kimi-k2.5'],
      reads: { settings: settingsList },
      answers: {
        'desktop.Models.Providers': { value: providers },
        'desktop.Models.Detect': { value: [ollama] },
        'desktop.Models.OwnProviders': { value: [lab] },
        'desktop.Models.Test': { value: { ...tested, total: 4 } },
      },
    }),
  )(language)

/** @param {number} window @param {number} prompt @param {number} completion */
const costs = (window, prompt, completion) => ({
  window,
  priced: true,
  price: { prompt, completion, cached: prompt },
})

/** What the provider in use offers. */
const fromProvider = {
  provider: paid.provider,
  title: paid.title,
  baseUrl: paid.baseUrl,
  listed: true,
  models: [
    { model: 'moonshotai/kimi-k2.5', facts: costs(262_144, 0.6, 3) },
    { model: 'qwen/qwen3-coder', facts: costs(262_144, 0.22, 0.95) },
    { model: 'qwen/qwen3-max', facts: costs(256_000, 1.2, 6) },
    { model: 'z-ai/glm-4.7', facts: costs(202_752, 0.4, 1.5) },
  ],
}

/**
 * A scene in which the list of models can be opened.
 * @param {object} [offered] what its provider answers
 * @returns {Picture['scene']}
 */
const listing =
  (offered = fromProvider) =>
  (language) => {
    const scene = choosing(language)
    const known = [costs(262_144, 0.22, 0.95), costs(32_768, 0, 0), costs(400_000, 1.75, 14), costs(0, 0, 0)]
    return {
      ...scene,
      reads: { offered },
      answers: { ...scene.answers, 'desktop.Models.Facts': { value: known } },
    }
  }

/** @type {Picture['act']} */
const openList = async (page, t) => {
  const name = t('shell.model.label').replace('{name}', paid.model)
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('combobox', { name: t('models.list.label'), exact: true }).waitFor()
}

/** Adds what a picture does not have by itself, which may say something else each time it is read. */
function besides(own, others) {
  for (const name of Object.keys(others)) own[name] ??= others[name]
  return own
}

/**
 * The settings of a window in which some are set.
 * @param {object} [more] of what the settings file says
 * @param {() => Record<string, object>} [reads] what else is read
 * @param {object} [given] of the state
 * @returns {Picture['scene']}
 */
const setting = (more = {}, reads = unnoted, given = {}) =>
  chat(
    () => [],
    (scene) => ({
      state: { ...scene.state, confinement: { level: 'full', why: '' }, ...given },
      reads: besides(reads(), { ...noServers, settings: { ...settingsList, ...more }, doctor: findings }),
      answers: {
        'desktop.Folders.SaveMemory': { fault: { code: 'INVALID_STATE', message: 'changed meanwhile' } },
      },
    }),
  )

/** A window whose folder suggests something. @param {() => Record<string, object>} [reads] @returns {Picture['scene']} */
const suggesting = (reads = () => suggestions) =>
  chat(
    () => [],
    (scene) => ({
      state: { ...scene.state, suggested },
      reads: reads(),
      answers: {
        'desktop.Folders.UseSuggestion': { fault: { code: 'INVALID_STATE', message: 'it has changed' } },
      },
    }),
  )

/** @type {Picture['act']} */
const openSuggestions = async (page, t) => {
  await press('suggestions.look')(page, t)
  await page.getByText('Working on date').waitFor()
}

/** Opens a part of the settings. @param {string} section @returns {NonNullable<Picture['act']>} */
const openSettings = (section) => async (page, t) => {
  await page.getByRole('button', { name: t('shell.settings.panel'), exact: true }).click()
  await page.getByRole('button', { name: t(`settings.sections.${section}`), exact: true }).click()
  await page.getByRole('heading', { name: t(`settings.sections.${section}`), exact: true }).waitFor()
}

/** @type {Picture['act']} */
const openModels = async (page, t) => {
  await page.getByRole('button', { name: t('shell.settings.panel'), exact: true }).click()
  await page.getByRole('button', { name: t('models.own.add'), exact: true }).waitFor()
}

/** @param {string} key @returns {Picture['act']} */
const press = (key) => async (page, t) => page.getByRole('button', { name: t(key), exact: true }).click()

/** Waits until the question takes an answer: a new one does not. @type {Picture['act']} */
const settle = async (page, t) => {
  const approve = page.getByRole('button', { name: t('confirm.approve'), exact: true })
  await approve.and(page.locator(':enabled')).waitFor()
}

/** The same of a question about changes. @type {Picture['act']} */
const settleChanges = async (page, t) => {
  const apply = page.getByRole('button', { name: t('confirm.changes.applyAll'), exact: true })
  await apply.and(page.locator(':enabled')).waitFor()
}

/** The same of a question about keys. @type {Picture['act']} */
const settleOutput = async (page, t) => {
  const reveal = page.getByRole('button', { name: t('confirm.output.reveal'), exact: true })
  await reveal.and(page.locator(':enabled')).waitFor()
}

/** The same of a draft. @type {Picture['act']} */
const settleDraft = async (page, t) => {
  const apply = page.getByRole('button', { name: t('shell.draft.apply'), exact: true })
  await apply.and(page.locator(':enabled')).waitFor()
}

/**
 * A conversation that has a draft, in a mode, which began with the folder of an earlier time where that is
 * given.
 * @param {string} approve
 * @param {unknown} past
 */
const withDraft = (approve, past = null) =>
  chat(
    (language) => reading(language).end(said[language].done),
    (scene) => ({
      state: { ...scene.state, approve, draft: { id: 'draft-1', began: now - 900_000, past } },
      sessions: scene.sessions.map((entry) => ({ ...entry, draft: entry.id === session })),
      reads: drafted,
    }),
  )
const inDraft = withDraft('draft')
const inPastDraft = withDraft('draft', {
  at: now - 4_000_000,
  missing: [
    { path: '.git', why: 'unit' },
    { path: 'data/holidays.db', why: 'large' },
    { path: 'notes.md', why: 'others' },
  ],
  more: 0,
  ignored: 12,
  inDraft: 0,
})

/** The same of a guard's question. @type {Picture['act']} */
const settleGuard = async (page, t) => {
  const go = page.getByRole('button', { name: t('confirm.guard.continue'), exact: true })
  await go.and(page.locator(':enabled')).waitFor()
}

/** A picture of a plan, drawn here. */
const plan = (() => {
  const png = new PNG({ width: 240, height: 160 })
  for (let y = 0; y < png.height; y++) {
    for (let x = 0; x < png.width; x++) {
      const wall = x % 80 < 2 || y % 80 < 2 || x > 237 || y > 157
      png.data.fill(wall ? 40 : 235, 4 * (y * png.width + x), 4 * (y * png.width + x) + 3)
      png.data[4 * (y * png.width + x) + 3] = 255
    }
  }
  return `data:image/png;base64,${PNG.sync.write(png).toString('base64')}`
})()

/** A task that came with a picture. @param {Language} language */
const aboutPlan = (language) =>
  new Run('run-1', 9000, said[language].prompt, {
    blocks: [
      {
        type: 'image',
        name: 'plan.png',
        mediaType: 'image/png',
        size: 20_480,
        ref: plan,
      },
    ],
  })
    .after(900)
    .next()
    .end(said[language].done)

/** What fits what is typed of a path. @param {string} typed */
const namedFor = (typed) => ({
  [`names?typed=${typed}`]: {
    whole: true,
    names: [
      { path: 'src/date/parser.go' },
      { path: 'src/date/parser_test.go' },
      { path: 'docs/parser.md' },
      { path: 'docs/日期解析.md' },
      { path: 'src/date', folder: true },
    ],
  },
})

/** What fits @par. */
const named = namedFor('par')

/** What is searched for, and what it is found in. @param {Scene} scene */
const leapFound = ({ sessions = [] }) => {
  const [elsewhere, own, , other] = sessions
  const passage = (entry, partId, role, before, match, after) => ({
    sessionId: entry.id,
    runId: 'run-1',
    partId,
    callId: '',
    toolName: '',
    role,
    at: now - 90 * 60_000,
    before,
    match,
    after,
  })
  const passages = [
    passage(
      own,
      'p-none',
      'assistant',
      'The February branch ignores ',
      'leap',
      ' years, so the 29th is refused.',
    ),
    passage(own, 'p-none', 'user', '', 'leap', ''),
    passage(other, 'p-other', 'assistant', '…README.md 第三节说明了 ', 'leap', ' second 的处理方式：忽略。'),
    passage(elsewhere, 'p-else', 'user', 'October has no ', 'leap', ' day, but the table has 32 rows.'),
  ]
  const list = { titles: [], passages, sessions: [own, other, elsewhere], more: true }
  const here = { ...list, passages: passages.slice(0, 2), sessions: [own], more: false }
  return {
    reads: { ...changed, 'search?text=leap&session=': list, [`search?text=leap&session=${session}`]: here },
  }
}

/** Searches all conversations, in their list. @type {Picture['act']} */
const search = async (page, t) => {
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('searchbox', { name: t('search.label'), exact: true }).fill('leap')
  await page.locator('.passage').last().waitFor()
}

/** What everything is found by. @param {Scene} scene */
const parserFound = ({ sessions = [] }) => ({
  reads: {
    ...changed,
    ...namedFor('par'),
    'titles?text=par': { sessions: [sessions[1], sessions[2]], more: false },
    'titles?text=': { sessions: sessions.slice(0, 4), more: true },
  },
})

/** Files that lie outside the folder. */
const fromElsewhere = ['/home/ada/Downloads/report.pdf', '/home/ada/Downloads/合同.docx'].map((path) => ({
  path,
  local: '',
  folder: false,
}))

/** What the user chooses to go with the next one. */
const choosesPlan = {
  'desktop.Folders.ChooseFiles': { value: ['plan-1.png', 'plan-2.png'] },
  'desktop.Folders.Locate': {
    value: ['plan-1.png', 'plan-2.png'].map((path) => ({ path, local: '', folder: false })),
  },
  'desktop.Pictures.Add': {
    value: ['plan-1.png', 'plan-2.png'].map((name) => ({
      id: name,
      name,
      mediaType: 'image/png',
      size: 20_480,
      ref: plan,
    })),
  },
}

/** A conversation in which a run has changed something. @param {Scene['answers']} [answers] */
const reviewed = (answers = {}) => chat(judged, () => ({ reads: changed, answers }))

/** Looks at what the run changed. @type {Picture['act']} */
const openReview = async (page, t) => {
  await page.keyboard.press('Control+Shift+D')
  const list = page.getByRole('listbox', { name: t('review.list'), exact: true })
  await list.focus()
  await page.getByRole('region').filter({ hasText: 'leap' }).first().waitFor()
}

/** Looks at what waits in the review. @type {Picture['act']} */
const openWaiting = async (page, t) => {
  await settle(page, t)
  await page.keyboard.press('Control+Shift+D')
  await page.getByRole('list', { name: t('review.waiting'), exact: true }).waitFor()
}

/** Has the desk be there, where it is not by itself. @type {Picture['act']} */
const openDesk = async (page) => {
  const desk = page.getByRole('complementary')
  if (!(await desk.isVisible())) await page.keyboard.press('Control+i')
  await desk.waitFor()
}

/** The sizes of the window that the desk is judged at. */
const deskSizes = [
  { width: 900, height: 600 },
  { width: 1180, height: 800 },
  { width: 1440, height: 900 },
]

/**
 * A picture at each of the sizes, named by its width.
 * @type {(name: string, scene: Picture['scene'], act: Picture['act']) => Picture[]}
 */
const atEachSize = (name, scene, act) =>
  deskSizes.map((size) => picture(`${name}-${size.width}`, scene, act, { size }))

/** Opens what is asked about, with the tools. @type {Picture['act']} */
const openTools = async (page, t) => {
  const start = t('shell.approve.label').replace('{name}', '')
  await page.getByRole('button', { name: start }).click()
}

/** Deletes a conversation, which is not in the list any more then. @type {Picture['act']} */
const deleteOne = async (page, t) => {
  await page.route('**/fairlead/sessions?*', async (route) => {
    const response = await route.fetch()
    const list = await response.json()
    await route.fulfill({
      response,
      json: { ...list, sessions: list.sessions.filter(({ id }) => id !== 'session-3') },
    })
  })
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^把节假日表/ })
    .press('Delete')
  await page.getByRole('button', { name: t('sessions.undo'), exact: true }).waitFor()
}

/** An inbox of conversations, with two that are archived. */
const inbox = chat(
  (language) => reading(language).end(said[language].done),
  ({ sessions }) => {
    const [elsewhere, own, asks, summary, job, holidays, rename] = sessions
    const archived = { ...rename, id: 'session-9', title: 'Tidy up the read-me', archived: true }
    const kept = [archived, { ...archived, id: 'session-0', title: '列出已弃用的函数', mark: 'completed' }]
    return {
      sessions: [
        elsewhere,
        {
          ...asks,
          id: 'session-8',
          title: 'Sort the holiday photos by year',
          folder: { path: '/home/ada/photos', name: 'photos' },
        },
        { ...job, pinned: true },
        own,
        asks,
        { ...summary, processes: 1 },
        { ...holidays, draft: true },
        rename,
      ],
      archived: kept.length,
      reads: { 'sessions?limit=100&archived=true': { sessions: kept, more: false, archived: kept.length } },
    }
  },
)

/** Opens the menu of a conversation. @type {Picture['act']} */
const openRowMenu = async (page) => {
  const row = page.getByRole('navigation').getByRole('button', { name: /^Add a job/ })
  await row.first().press('Shift+F10')
  await page.getByRole('menu').waitFor()
}

/** Opens the archived conversations. @type {Picture['act']} */
const openArchive = async (page, t) => {
  await page.getByRole('button', { name: t('sessions.archivedOnes', { n: 2 }) }).click()
  await page
    .getByRole('button', { name: /^列出已弃用的函数/ })
    .first()
    .waitFor()
}

/** Makes everything larger, so that the list has no space beside, and opens it. @type {Picture['act']} */
const zoomIn = async (page) => {
  await page.keyboard.press('Control+=')
  await page.keyboard.press('Control+b')
  await page.getByRole('navigation').waitFor()
}

/** The run with its answer half said. */
const streaming = (language) => {
  const words = said[language]
  return written(reading(language).say(words.found)).after(400).usage(5240, 502).next().say(words.code)
}

/**
 * A scene of a task that is over, with what fills the context of its model.
 * @param {object} of the model
 * @param {boolean} known whether its price and the size of its context are
 * @returns {Picture['scene']}
 */
const withContext = (of, known) =>
  chat(
    (language) => reading(language).end(said[language].done),
    (scene) => ({
      state: { ...scene.state, model: of },
      reads: filled(known),
      answers: {
        'desktop.Sessions.Compact': {
          fault: { code: 'NOTHING_TO_COMPACT', message: 'too little was said in this conversation' },
        },
      },
    }),
  )

/** @type {Picture['act']} */
const openContext = async (page, t) => {
  await page.keyboard.press('Control+Shift+M')
  await page.getByText(t('meter.total'), { exact: true }).waitFor()
}

/** @type {Picture[]} */
export const pictures = [
  picture('welcome-empty', welcome([])),
  picture('welcome-ollama', welcome([ollama])),
  picture('welcome-tested', welcome([], { 'desktop.Models.Test': { value: tested } }), testModel),
  picture(
    'welcome-no-tools',
    welcome([], { 'desktop.Models.Test': { value: { ...tested, tools: 'ignored' } } }),
    testModel,
  ),
  picture(
    'welcome-refused',
    welcome([], {
      'desktop.Models.Test': {
        fault: {
          code: 'AUTH',
          message: 'list models: 401 Incorrect API key provided.',
          hint: 'check the API key',
        },
      },
    }),
    testKey,
  ),
  picture(
    'welcome-no-keyring',
    (language) => ({
      ...welcome([], {
        'desktop.Models.Test': { value: tested },
        'desktop.Models.Use': {
          fault: { code: 'KEYRING', message: 'keep the key: no keyring answers on the session bus' },
        },
      })(language),
      state: state({ model: null, sessionId: '' }),
    }),
    async (page, t) => {
      await testKey(page, t)
      await page.getByLabel(t('welcome.model.name'), { exact: true }).fill('gpt-5.2')
      await page.getByRole('button', { name: t('welcome.start'), exact: true }).click()
    },
  ),
  picture('welcome-provider', welcome([]), async (page, t) => {
    const provider = page.getByLabel(t('welcome.model.provider'), { exact: true })
    await provider.click()
    await provider.fill('深度')
  }),
  picture('welcome-whose-key', welcome([]), async (page, t) => {
    await page.getByLabel(t('welcome.model.key'), { exact: true }).fill(key)
    await page.getByText(t('welcome.model.keyOfWhom')).waitFor()
  }),
  picture('model-list', listing(), async (page, t) => {
    await openList(page, t)
    await page.getByRole('option').filter({ hasText: 'kimi' }).waitFor()
  }),
  picture('model-list-found', listing(), async (page, t) => {
    await openList(page, t)
    await page.getByRole('combobox', { name: t('models.list.label'), exact: true }).fill('qwen')
    await page.getByRole('option').filter({ hasText: 'qwen3-max' }).waitFor()
  }),
  picture(
    'model-list-unreachable',
    listing({
      refused: { code: 'NETWORK', message: 'list models: no answer within 15s', hint: 'check the network' },
    }),
    async (page, t) => {
      await openList(page, t)
      await page.getByText(t('faults.codes.NETWORK')).waitFor()
    },
  ),
  picture(
    'models',
    choosing,
    async (page, t) => {
      await openModels(page, t)
      await page.getByRole('button', { name: t('models.choose.refresh'), exact: true }).click()
      await page.getByTitle('z-ai/glm-4.7', { exact: true }).waitFor()
    },
    { size: { width: 1280, height: 1300 } },
  ),
  picture(
    'models-endpoint',
    choosing,
    async (page, t) => {
      await openModels(page, t)
      const edit = t('models.own.editOne').replace('{name}', 'Office gateway')
      await page.getByRole('button', { name: edit, exact: true }).click()
      await page
        .getByRole('button', { name: t('models.own.form.save'), exact: true })
        .scrollIntoViewIfNeeded()
    },
    { size: { width: 1280, height: 1600 } },
  ),
  picture(
    'chat-empty',
    chat(() => []),
  ),
  picture('chat-streaming', chat(streaming)),
  picture(
    'chat-pictures',
    chat(aboutPlan, () => ({ answers: choosesPlan })),
    async (page, t) => {
      const add = page.getByRole('button', {
        name: t('shell.composer.add'),
        exact: true,
      })
      await add.click()
      await page.locator('.pictures img').last().waitFor()
    },
  ),
  picture(
    'chat-names',
    chat(
      () => [],
      () => ({ reads: named }),
    ),
    async (page, t) => {
      await page.getByRole('textbox', { name: t('shell.composer.label'), exact: true }).click()
      await page.keyboard.type('Read @par')
      await page.getByRole('option').last().waitFor()
      await page.keyboard.press('ArrowDown')
    },
  ),
  picture('search', chat(judged, leapFound), search),
  picture('find', chat(judged, leapFound), async (page, t) => {
    await page.keyboard.press('Control+f')
    await page.getByRole('searchbox', { name: t('search.find.label'), exact: true }).fill('leap')
    await page.keyboard.press('Enter')
    await page.locator('[data-here]').waitFor()
  }),
  picture('palette', chat(judged, parserFound), async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
  }),
  picture('palette-words', chat(judged, parserFound), async (page) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('par')
    await page.getByRole('option', { name: 'src/date/parser.go' }).waitFor()
    await page.keyboard.press('ArrowDown')
  }),
  picture('keys', chat(judged), async (page, t) => {
    await page.keyboard.press('Control+/')
    await page.getByRole('dialog', { name: t('palette.keys.title'), exact: true }).waitFor()
  }),
  picture('chat-slash', chat(judged), async (page, t) => {
    await page.getByRole('textbox', { name: t('shell.composer.label'), exact: true }).click()
    await page.keyboard.type('/re')
    await page.getByRole('option').last().waitFor()
  }),
  picture(
    'dropped',
    chat(
      () => [],
      () => ({ answers: { 'desktop.Folders.Locate': { value: fromElsewhere } } }),
    ),
    async (page, t) => {
      await page.evaluate(() => /** @type {any} */ (window).drop(0, 0, ['/home/ada/report.pdf']))
      await page.getByRole('button', { name: t('shell.dropped.copy'), exact: true }).waitFor()
    },
  ),
  picture(
    'chat-thinking',
    chat((language) =>
      new Run('run-1', 12_000, said[language].prompt).after(400).next().think(said[language].thought, 0),
    ),
  ),
  ...atEachSize('review', reviewed(), openReview),
  ...atEachSize('review-full', reviewed(), async (page, t) => {
    await openReview(page, t)
    const full = page.getByRole('button', { name: t('review.full'), exact: true })
    if (await full.isVisible()) await full.click()
    await page.getByRole('button', { name: t('review.split'), exact: true }).click()
  }),
  ...atEachSize('review-deleted', reviewed(), async (page, t) => {
    await openReview(page, t)
    await page.getByRole('option').filter({ hasText: 'old.go' }).click()
    await page.getByText(t('review.about.changed')).waitFor()
  }),
  ...atEachSize('review-comment', reviewed(), async (page, t) => {
    await openReview(page, t)
    await page.locator('.added .number').first().click()
    await page.keyboard.type('Put this into a file of its own.')
    await page.getByRole('button', { name: t('review.commentAdd'), exact: true }).click()
  }),
  ...atEachSize('review-undo', reviewed(), async (page, t) => {
    await openReview(page, t)
    await page
      .getByRole('complementary')
      .getByRole('button', { name: t('review.undoRun'), exact: true })
      .click()
    await page.getByRole('radio').first().waitFor()
  }),
  ...atEachSize(
    'review-undone',
    reviewed({ 'desktop.Changes.Undo': { value: { paths: 3, kept: 1 } } }),
    async (page, t) => {
      await openReview(page, t)
      await page
        .getByRole('complementary')
        .getByRole('button', { name: t('review.undoRun'), exact: true })
        .click()
      await page.getByRole('button', { name: t('review.plan.undo'), exact: true }).click()
      await page.getByRole('listbox', { name: t('review.list') }).waitFor()
    },
  ),
  ...atEachSize(
    'review-waits',
    chat(
      (language) => ask(ask(reading(language), 'edit', 'edit_file', writing), 'test', 'shell', testing),
      () => ({ reads: changed }),
    ),
    openWaiting,
  ),
  picture(
    'tools-folded',
    chat((language) =>
      written(reading(language)).after(300).next().say(said[language].done).end(said[language].done),
    ),
  ),
  picture(
    'tools-open',
    chat((language) =>
      reading(language)
        .done(
          'fails',
          'shell',
          { command: 'go test ./src/date' },
          'COMMAND_FAILED: exit code 1\n--- FAIL: TestLeap (0.00s)\n    parser_test.go:12: days(2024, 2) = 28, want 29\nFAIL',
          {
            success: false,
            errorCode: 'COMMAND_FAILED',
            durationMs: 1900,
            data: { exitCode: 1 },
          },
        )
        .after(800)
        .next()
        .done('search2', 'search_files', { pattern: 'leap' }, 'no match\n')
        .after(700)
        .next()
        .done(
          'read3',
          'read_file',
          { path: '../secrets.txt' },
          'PATH_OUTSIDE_WORKSPACE: "../secrets.txt" is outside the folder',
          {
            success: false,
            errorCode: 'PATH_OUTSIDE_WORKSPACE',
            durationMs: 1,
          },
        ),
    ),
  ),
  picture(
    'parallel',
    chat((language) =>
      reading(language)
        .call('p1', 'shell', { command: 'go vet ./...' })
        .call('p2', 'shell', { command: 'go test ./src/date -run Leap' })
        .call('p3', 'shell', { command: 'gofmt -l src' })
        .running('p1')
        .running('p2')
        .running('p3')
        .add('tool.progress', { callId: 'p2', content: '=== RUN   TestLeap\n--- FAIL: TestLeap (0.00s)\n' })
        .result('p3', '(no output)', { durationMs: 700 })
        .result('p1', 'ok', { durationMs: 1200 }),
    ),
  ),
  picture(
    'tools-unheard',
    chat((language) => unheardOf(reading(language))),
    settle,
  ),
  picture(
    'confirm-write',
    chat((language) => ask(reading(language).say(said[language].found), 'edit', 'edit_file', writing)),
    settle,
  ),
  picture(
    'confirm-command',
    chat((language) => ask(written(reading(language)).after(900).next(), 'test', 'shell', testing)),
    settle,
  ),
  picture(
    'confirm-server',
    chat((language) => ask(reading(language), 'call', 'mcp_call', serverCall)),
    settle,
  ),
  picture(
    'confirm-queue',
    chat((language) => {
      const run = ask(reading(language), 'edit', 'edit_file', writing)
      return ask(run, 'test', 'shell', testing)
    }),
    settle,
  ),
  ...atEachSize(
    'confirm-changes',
    chat((language) => ask(reading(language), 'test', 'shell', copied, { kind: 'changes' })),
    settleChanges,
  ),
  picture(
    'confirm-output',
    chat((language) => ask(reading(language), 'test', 'shell', printed, { kind: 'output' })),
    settleOutput,
  ),
  ...atEachSize(
    'review-aside',
    chat(
      (language) => reading(language).end(said[language].done),
      () => ({ reads: setAside }),
    ),
    async (page, t) => {
      await page.keyboard.press('Control+Shift+D')
      await page.getByText(t('review.aside')).waitFor()
    },
  ),
  picture(
    'confirm-edit',
    chat((language) => ask(reading(language), 'test', 'shell', testing)),
    async (page, t) => {
      await page.getByRole('button', { name: t('confirm.edit.open'), exact: true }).click()
    },
  ),
  picture(
    'confirm-reason',
    chat((language) => ask(reading(language), 'edit', 'edit_file', writing)),
    async (page, t) => {
      await page.getByRole('button', { name: t('confirm.rejectReason'), exact: true }).click()
    },
  ),
  picture(
    'confirm-long',
    chat((language) =>
      ask(reading(language), 'long', 'write_file', {
        args: { path: 'src/date/holidays.csv', content: '…' },
        preview: { effect: 'files', path: 'src/date/holidays.csv', diff: longDiff, added: 201, removed: 0 },
      }),
    ),
    settle,
  ),
  picture(
    'confirm-expiring',
    chat((language) => ask(reading(language), 'edit', 'edit_file', writing, { expiresAt: now + 24_000 })),
    settle,
  ),
  picture(
    'retry',
    chat((language) =>
      reading(language, 30_000)
        .after(14_000)
        .add('llm.retry', {
          attempt: 2,
          maxAttempts: 5,
          delayMs: 20_000,
          code: 'RATE_LIMITED',
          data: { cause: 'provider', httpStatus: 429, said: 'Too Many Requests' },
          message: 'Too Many Requests (HTTP 429)',
          discard: [],
        }),
    ),
  ),
  picture('draft', inDraft, settleDraft),
  picture('draft-left', withDraft('ask'), settleDraft),
  picture('draft-review', inDraft, async (page, t) => {
    await settleDraft(page, t)
    await page.getByRole('button', { name: t('shell.draft.review'), exact: true }).click()
  }),
  picture('draft-past', inPastDraft, async (page, t) => {
    await settleDraft(page, t)
    await page.getByRole('button', { name: t('shell.draft.review'), exact: true }).click()
    await page.locator('summary').click()
  }),
  picture(
    'fork',
    chat((language) => reading(language).end(said[language].done)),
    async (page, t) => {
      await page
        .getByRole('button', { name: t('transcript.fork.label'), exact: true })
        .first()
        .press('Enter')
      await page.getByRole('button', { name: t('transcript.fork.asItWas'), exact: true }).waitFor()
    },
  ),
  picture(
    'covered',
    chat((language) =>
      atTests(language).result('test', 'KeyError: HOLIDAYS_URL\n', {
        success: false,
        errorCode: 'COMMAND_FAILED',
        durationMs: 900,
        data: { exitCode: 1, covered: ['.env', 'certs/holidays.pem'] },
      }),
    ),
  ),
  picture('context', withContext(paid, true), openContext),
  picture('context-unknown', withContext({ ...model, window: 0, priced: false }, false), openContext),
  picture('context-refused', withContext(paid, true), async (page, t) => {
    await openContext(page, t)
    await page.getByRole('button', { name: t('meter.compact'), exact: true }).click()
    await page.getByText(t('faults.codes.NOTHING_TO_COMPACT')).waitFor()
  }),
  picture(
    'context-empty',
    chat(
      () => [],
      () => ({ reads: unfilled }),
    ),
    async (page, t) => {
      await page.keyboard.press('Control+Shift+M')
      await page.getByText(t('meter.none')).waitFor()
    },
  ),
  picture('context-summing', chat(beingSummed)),
  picture('context-summed', chat(summed)),
  picture('context-not-summed', chat(notSummed)),
  picture('small-context', withContext(paid, true), openContext, { size: { width: 900, height: 600 } }),
  picture('guard-loop', chat(circling), settleGuard),
  picture('guard-budget', chat(spent), settleGuard),
  picture('queue', queued(atTests)),
  picture('queue-edit', queued(atTests), async (page, t) => {
    await page
      .getByRole('button', { name: t('queue.edit'), exact: true })
      .last()
      .click()
  }),
  picture(
    'queue-left',
    queued((language) =>
      atTests(language)
        .result('test', 'CANCELLED: cancelled by the user after 36.4 s', {
          success: false,
          errorCode: 'CANCELLED',
          durationMs: 36_400,
        })
        .fail('CANCELLED', 'Cancelled by user', 'cancelled'),
    ),
  ),
  picture(
    'pausing',
    chat((language) => atTests(language).add('run.interrupt', { message: '' })),
  ),
  picture(
    'joined',
    chat((language) => {
      const [{ promptId, text }] = waiting(language)
      return written(reading(language))
        .after(300)
        .add('prompt.joined', { promptId, text, target: 'step' })
        .next()
        .say(said[language].done)
        .usage(5240, 180)
        .end(said[language].done)
    }),
  ),
  picture(
    'compacted',
    chat((language) =>
      written(reading(language))
        .usage(30_480, 412)
        .after(300)
        .next()
        .add('context.compacted', { before: 34_120, after: 24_800, mode: 'prune' })
        .add('context.compacted', { before: 33_900, after: 9_400, mode: 'compact' })
        .call('test', 'shell', testing.args)
        .running('test')
        .usage(9_410, 120),
    ),
  ),
  picture(
    'suggestions-bar',
    chat(() => [], having({ suggested })),
  ),
  picture('suggestions', suggesting(), openSuggestions),
  picture('suggestions-skill', suggesting(), async (page, t) => {
    await openSuggestions(page, t)
    await page.getByRole('option', { name: 'release' }).click()
    await page.getByText('Making a release').waitFor()
  }),
  picture('suggestions-assistant', suggesting(), async (page, t) => {
    await openSuggestions(page, t)
    await page.getByRole('listbox').press('End')
    await page.getByText('SessionStart').waitFor()
  }),
  picture('suggestions-changed', suggesting(rewritten), async (page, t) => {
    await openSuggestions(page, t)
    await press('suggestions.use')(page, t)
    await page.getByText(t('suggestions.changed')).waitFor()
  }),
  picture(
    'moved',
    chat(() => [], having({ moved: { from: '/home/ada/code/calendar', conversations: 3 } })),
  ),
  picture(
    'tools',
    chat(() => [], having({ groups: groups('shell', 'search') })),
    openTools,
  ),
  picture(
    'end-guards',
    chat((language) =>
      endings(language, [
        (run) => run.fail('BUDGET', '10240 of 10000 tokens are used, and you said to stop', 'budget'),
        (run) =>
          run.fail(
            'DOOM_LOOP',
            'the same call of shell came 4 times in a row, and you said to stop',
            'doom_loop',
          ),
        (run) =>
          run
            .add('run.interrupt', { message: '' })
            .say(said[language].half)
            .end(said[language].half, { reason: 'interrupted' }),
      ]),
    ),
  ),
  picture(
    'end-decided',
    chat((language) =>
      endings(language, [
        (run) => run.say(said[language].done).end(said[language].done),
        (run) =>
          run
            .say(said[language].done)
            .end(said[language].done, { reason: 'max_steps', warning: 'the step limit of 50 is reached' }),
        (run) => run.fail('CANCELLED', 'Cancelled by user', 'cancelled'),
        (run) => run.fail('REJECTED', 'the user rejected a call and stopped the run', 'rejected'),
        (run) => run.fail('TIMEOUT', 'the run took longer than 30m', 'timeout'),
      ]),
    ),
  ),
  picture(
    'end-provider',
    chat((language) =>
      endings(language, [
        (run) => run.fail('RATE_LIMITED', '429 Too Many Requests; try again later'),
        (run) =>
          run.fail(
            'QUOTA',
            'You exceeded your current quota; add credit at the provider, or choose another model',
          ),
        (run) => run.fail('OVERLOADED', 'the provider answered 503 Service Unavailable; try again later'),
        (run) => run.fail('AUTH', 'Incorrect API key provided.; check the API key'),
        (run) =>
          run.fail('MODEL_NOT_FOUND', 'The model does not exist.; check the model’s name and the base URL'),
        (run) => run.fail('NETWORK', 'connect to localhost:11434: connection refused'),
      ]),
    ),
  ),
  picture(
    'end-reply',
    chat((language) =>
      endings(language, [
        (run) =>
          run.fail(
            'FILTERED',
            'the provider’s content filter stopped the reply; rephrase the request',
            'filtered',
          ),
        (run) =>
          run.fail('CONTEXT_OVERFLOW', 'the conversation is too long; start a new one', 'context_overflow'),
        (run) => run.fail('MALFORMED', 'the server answered with something that is no reply'),
        (run) => run.fail('TRUNCATED', 'the reply was cut at the provider’s length limit'),
        (run) => run.fail('EMPTY_REPLY', 'the model answered nothing, twice'),
        (run) => run.fail('TOOL_FAILED', 'a tool failed'),
      ]),
    ),
  ),
  picture(
    'interrupted',
    chat((language) => {
      const words = said[language]
      const first = reading(language, 3_600_000).end('', { reason: 'max_steps' })
      const second = new Run('run-2', 600_000, 'Go on.', { continues: 'run-1' }).after(400).next()
      return [
        first,
        written(second).after(2600).next().say(words.half).end(words.half, { reason: 'interrupted' }),
      ]
    }),
  ),
  picture(
    'sessions',
    chat(streaming, () => ({ answers: { 'desktop.Sessions.Delete': { value: null } } })),
    deleteOne,
  ),
  picture('sidebar-inbox', inbox),
  picture('sidebar-menu', inbox, openRowMenu),
  picture('sidebar-archive', inbox, openArchive),
  picture(
    'sidebar-archived',
    (language) => ({ ...inbox(language), answers: { 'desktop.Sessions.Archive': { value: null } } }),
    async (page, t) => {
      await page.keyboard.press('Control+Shift+A')
      await page.getByRole('button', { name: t('sessions.undo'), exact: true }).waitFor()
    },
  ),
  picture('small-rail', chat(streaming), undefined, { size: { width: 800, height: 600 } }),
  picture('small-sessions', chat(streaming), zoomIn, { size: { width: 900, height: 600 } }),
  ...atEachSize(
    'files',
    chat((language) => written(reading(language)).after(300).next().end(said[language].done)),
    async (page, t) => {
      await openDesk(page, t)
      await page.getByRole('treeitem', { name: /^src/ }).click()
      await page.getByRole('treeitem', { name: /^date/ }).click()
    },
  ),
  ...atEachSize(
    'file-menu',
    chat((language) => written(reading(language)).after(300).next().end(said[language].done)),
    async (page, t) => {
      await openDesk(page, t)
      await page.getByRole('treeitem', { name: /^src/ }).click()
      await page.getByRole('treeitem', { name: /^date/ }).click()
      await page.getByRole('treeitem', { name: /^parser\.go/ }).click({ button: 'right' })
    },
  ),
  ...atEachSize(
    'file-refused',
    chat(
      (language) => written(reading(language)).after(300).next().end(said[language].done),
      () => ({
        answers: {
          'desktop.Files.Open': {
            fault: { code: 'RUNNABLE', message: 'open src/date/parser.go' },
          },
        },
      }),
    ),
    async (page, t) => {
      await openDesk(page, t)
      await page.getByRole('treeitem', { name: /^src/ }).click()
      await page.getByRole('treeitem', { name: /^date/ }).click()
      await page.getByRole('treeitem', { name: /^parser\.go/ }).click()
      await page.getByRole('tree').press('Control+Shift+O')
      await page.getByText(t('faults.codes.RUNNABLE')).waitFor()
    },
  ),
  ...atEachSize(
    'path-links',
    chat(
      (language) =>
        written(reading(language)).after(300).next().say(said[language].named).end(said[language].named),
      () => ({
        reads: {
          'known?name=src/date/parser.go': {
            files: [{ name: 'src/date/parser.go', path: 'src/date/parser.go' }],
          },
        },
      }),
    ),
    async (page, t) => {
      const link = page.getByRole('link', {
        name: t('transcript.path.open', { name: 'src/date/parser.go:9' }),
      })
      await link.waitFor()
      if ((page.viewportSize()?.width ?? 0) > 1100) await link.click()
    },
  ),
  picture(
    'tour-end',
    (language) =>
      chat(judged, (scene) => ({ reads: changed, state: { ...scene.state, tour: true } }))(language),
    undefined,
    { size: { width: 900, height: 600 } },
  ),
  ...atEachSize(
    'preview',
    chat((language) => written(reading(language)).after(300).next().end(said[language].done)),
    async (page, t) => {
      await openDesk(page, t)
      await page.getByRole('treeitem', { name: /^src/ }).click()
      await page.getByRole('treeitem', { name: /^date/ }).click()
      await page.getByRole('treeitem', { name: /^parser\.go/ }).click()
    },
  ),
  picture(
    'preview-sheet',
    chat(
      () => [],
      () => ({ tree: office, files: officeFiles }),
    ),
    async (page, t) => {
      await openDesk(page, t)
      await page.getByRole('treeitem', { name: /^orders/ }).click()
      await page.getByRole('cell', { name: '松涛小学' }).last().waitFor()
    },
    { size: { width: 1440, height: 900 } },
  ),
  picture(
    'preview-changed',
    chat(judged, () => ({ reads: changed, files: changedFiles })),
    async (page, t) => {
      await openReview(page, t)
      await page.getByRole('button', { name: t('review.openFile'), exact: true }).click()
      const next = page.getByRole('button', { name: t('workspace.preview.changed', { n: 10 }) })
      await next.click()
      await next.click()
    },
    { size: { width: 1440, height: 900 } },
  ),
  ...atEachSize(
    'processes',
    chat(streaming, () => ({ reads: commands })),
    async (page, t) => {
      await openDesk(page, t)
      await page.getByRole('tab', { name: t('shell.desk.running', { n: 1 }) }).click()
      await page.getByRole('option').first().click()
      await page.getByText('Listening').waitFor()
    },
  ),
  picture(
    'closing',
    chat(streaming, () => ({
      news: [{ seq: 1, runId: '', sessionId: '', ts: now, type: 'window.closing', data: {} }],
    })),
  ),
  picture('settings', setting(), openSettings('limits')),
  picture('settings-permissions', setting(), openSettings('permissions'), {
    size: { width: 1280, height: 900 },
  }),
  picture('settings-appearance', setting(), openSettings('appearance')),
  picture('settings-extensions', setting({}, noted, { suggested }), openSettings('extensions')),
  picture('settings-memory-none', setting({}, unnoted), openSettings('extensions')),
  picture('settings-memory-changed', setting({}, notedMeanwhile), async (page, t) => {
    await openSettings('extensions')(page, t)
    await page
      .getByLabel(t('settings.memory.label'), { exact: true })
      .fill('- 2026-11-20: ask before releases\n')
    await press('settings.memory.save')(page, t)
    await page.getByText(t('settings.memory.changed')).waitFor()
  }),
  ...['servers', 'servers-changed'].map((name) =>
    picture(
      `settings-${name}`,
      setting({}, () => ({ ...unnoted(), ...(name === 'servers' ? servers() : changedServers()) })),
      async (page, t) => {
        await openSettings('extensions')(page, t)
        await page
          .locator('[data-server="notes"] .hidden-character, [data-server="notes"] .diff')
          .first()
          .waitFor()
      },
      { size: { width: 1280, height: 1600 } },
    ),
  ),
  picture(
    'settings-servers-add',
    setting({}, () => ({ ...unnoted(), ...foundServers() })),
    async (page, t) => {
      await openSettings('extensions')(page, t)
      await press('servers.add')(page, t)
      await page.getByLabel(t('servers.form.jsonLabel'), { exact: true }).fill('{}')
      await press('servers.form.read')(page, t)
      await press('servers.form.ask')(page, t)
      await page.getByText('84', { exact: false }).first().waitFor()
    },
    { size: { width: 1280, height: 1600 } },
  ),
  picture('settings-data', setting(), openSettings('data')),
  picture('settings-shortcuts', setting(), openSettings('shortcuts')),
  picture('settings-about', setting(), async (page, t) => {
    await openSettings('about')(page, t)
    await page.getByRole('button', { name: t('settings.doctor.run'), exact: true }).click()
    await page.getByRole('table').waitFor()
  }),
  picture('settings-search', setting(), async (page, t) => {
    await openSettings('limits')(page, t)
    await page.getByRole('searchbox', { name: t('settings.search'), exact: true }).fill('task')
  }),
  picture(
    'settings-broken',
    setting({ fault: `read settings ${settingsList.file}:7:1: unknown key "modle"` }),
    async (page, t) => {
      await openSettings('limits')(page, t)
      const steps = page.getByLabel(t('settings.keys.max_steps.title'), { exact: true })
      await steps.fill('501')
      await steps.press('Tab')
      await page.getByText(t('settings.wrong.whole', { low: '1', high: '500' })).waitFor()
    },
  ),
  picture(
    'folder',
    chat(() => []),
    async (page, t) => {
      await page.getByRole('button', { name: t('shell.folder.label', { name: 'date' }), exact: true }).click()
    },
  ),
  picture(
    'no-key',
    (language) => ({
      ...chat(() => [])(language),
      answers: {
        'main.App.Run': { fault: { code: 'NO_KEY', message: 'no key for OpenAI', hint: 'type one' } },
      },
    }),
    async (page, t) => {
      await page.getByLabel(t('shell.composer.label'), { exact: true }).fill(said.en.other)
      await page.getByRole('button', { name: t('shell.composer.send'), exact: true }).click()
    },
  ),
  picture(
    'small-confirm',
    chat((language) => ask(reading(language).say(said[language].found), 'edit', 'edit_file', writing)),
    settle,
    {
      size: { width: 900, height: 600 },
    },
  ),
  picture('small-guard', queued(circling), settleGuard, { size: { width: 900, height: 600 } }),
  picture(
    'small-full',
    (language) =>
      chat(
        (lang) => ask(reading(lang), 'edit', 'edit_file', writing),
        having({
          queue: Array.from({ length: 6 }, (_, i) => ({
            ...waiting(language)[i % 2],
            promptId: `prompt-${i}`,
          })),
        }),
      )(language),
    settle,
    { size: { width: 900, height: 600 } },
  ),
  picture('small-queue', queued(atTests), undefined, { size: { width: 900, height: 600 } }),
  picture('small-streaming', chat(streaming), undefined, { size: { width: 900, height: 600 } }),
]
