import assert from 'node:assert/strict'

import { canary } from './harness/browser.js'
import { suite } from './harness/suite.js'

const it = suite()

/** The families of backend/llm/llmtest. Those on this computer are reached by their address alone. */
const remote = [
  'openai',
  'anthropic',
  'gemini',
  'deepseek',
  'dashscope',
  'moonshot',
  'zai',
  'mistral',
  'groq',
  'xai',
  'openrouter',
  'perplexity',
]
const local = ['ollama', 'llamacpp', 'lmstudio', 'vllm']

/** What the window says of each mode. */
const codes = { key: 'AUTH', quota: 'QUOTA', overflow: 'CONTEXT_OVERFLOW', model: 'MODEL_NOT_FOUND' }
/** What two of them say of a used up allowance is what they say of another thing. */
const alike = { mistral: { quota: 'AUTH' }, groq: { quota: 'RATE_LIMITED' } }

/** Opens the settings at the models and fills in where the model is. */
async function fill(window, provider, address, key, name) {
  await window.press('shell.settings.panel')
  await window.get('radio', 'welcome.model.remote').check()
  await window.choose('welcome.model.provider', provider || window.words('welcome.model.elsewhere'))
  await window.get('textbox', 'welcome.model.address').fill(address)
  await window.page.getByLabel(window.words('welcome.model.key'), { exact: true }).fill(key)
  await window.get('combobox', 'welcome.model.name').fill(name)
  await window.page.keyboard.press('Tab')
}

/** Tests the model and returns the lines of what was found. */
async function test(window) {
  await window.press('welcome.model.test')
  await window.get('button', 'welcome.model.test').waitFor()
  const steps = window.get('list', 'welcome.model.steps.label')
  await steps.waitFor()
  return steps
}

for (const name of [...remote, ...local]) {
  it(`UI-06 ${name} is tested in each of its moods, and used`, async ({ window, model }) => {
    const key = local.includes(name) ? '' : canary
    await model.key(key)
    const { models, modes } = await model.family(name)
    await fill(window, local.includes(name) ? '' : name, model.baseURL, key, models[0])
    for (const [mode, code] of Object.entries(codes)) {
      if (!modes.includes(mode)) continue
      await model.family(name, mode)
      const steps = await test(window)
      const expected = window.words(`faults.codes.${alike[name]?.[mode] ?? code}`)
      await steps.getByText(expected, { exact: false }).waitFor()
    }
    await model.family(name)
    const steps = await test(window)
    // Perplexity's models call no tools, and the screen says so.
    const outcome = window.words('welcome.model.steps.called', { time: '' }).trim().replace(/·$/, '').trim()
    await steps
      .getByText(name === 'perplexity' ? window.words('welcome.model.steps.ignored') : outcome)
      .waitFor()
    await window.press('shell.model.use')
    await window.page.getByText(models[0]).first().waitFor()
    await window.press('shell.close')
    await window.send('List the files.')
    await window.ended()
    assert.deepEqual(await model.faults(), [])
  })
}

it('SEC-07 a key that belongs to another provider switches to that one', async ({ window, model }) => {
  await fill(window, 'openai', model.baseURL, '', 'gpt')
  const key = window.page.getByLabel(window.words('welcome.model.key'), { exact: true })
  await key.fill('sk-or-v1-0123456789')
  assert.equal(await window.get('combobox', 'welcome.model.provider').inputValue(), 'OpenRouter')
  await window.page.getByText(window.words('welcome.model.keyOf', { title: 'OpenRouter' })).waitFor()
})

it('UI-06 an endpoint of one’s own is added, tested, used, and removed', async ({ window, model, app }) => {
  await model.key(canary)
  await model.script('call c1 ping {}', 'text Found it.')
  await window.press('shell.settings.panel')
  await window.press('models.own.add')
  const form = window.page.locator('form').filter({ has: window.get('textbox', 'models.own.form.name') })
  await form.getByRole('textbox', { name: window.words('models.own.form.name'), exact: true }).fill('lab')
  await form
    .getByRole('textbox', { name: window.words('welcome.model.address'), exact: true })
    .fill(`${model.baseURL}/chat/completions`)
  await form.getByRole('button', { name: window.words('models.own.form.save'), exact: true }).click()
  await window.get('button', new RegExp(window.words('models.own.editOne', { name: 'lab' }))).waitFor()
  assert.match(app.settings(), /^\[providers\.lab\]$/m)
  await window.get('radio', 'welcome.model.remote').check()
  await window.choose('welcome.model.provider', 'lab')
  await window.page.getByLabel(window.words('welcome.model.key'), { exact: true }).fill(canary)
  await window.get('combobox', 'welcome.model.name').fill('scripted')
  await window.page.keyboard.press('Tab')
  await test(window)
  await window.press('shell.model.use')
  assert.ok(!app.settings().includes(canary))
  await window.press('shell.close')
  await window.send('Go.')
  await window.ended()
  assert.equal((await app.state()).model.provider, 'lab')
})
