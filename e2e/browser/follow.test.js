import assert from 'node:assert/strict'

import { call, say } from './harness/model.js'
import { suite } from './harness/suite.js'
import { until } from './harness/wait.js'

const it = suite({ settings: () => 'attempts = 1\nmax_steps = 60\n' })

const steps = 16
const asked = (i) => i % 2 === 1

/** How far the end of the conversation is below what is seen, in pixels. */
const below = (window) =>
  window.transcript.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop)

/** Waits until the end is in sight. */
const atEnd = (window, what) =>
  until(`the end is in sight ${what}`, async () => (await below(window)) <= 2, 2000)

it(
  'DESK-07 the end stays in sight through rows and approvals by dialog, key and mouse',
  async ({ window, model, app }) => {
    const { page } = window
    const replies = []
    for (let i = 0; i < steps; i++) {
      const text = say(`Step ${i}. ${'Some words about what is done next, and why. '.repeat(8)}`)
      replies.push(
        asked(i)
          ? `${text}\n${call(`c${i}`, 'write_file', { path: `file${i}.txt`, content: 'line\n'.repeat(20) })}`
          : `${text}\n${call(`c${i}`, 'shell_status', { id: `p${i}` })}\n${call(`r${i}`, 'read_file', { path: `missing${i}` })}`,
      )
    }
    await model.script(...replies, 'text The end.')
    await window.send('Work in many steps.')
    const approve = window.get('button', 'confirm.approve').and(page.locator(':enabled'))
    let answered = 0
    for (let i = 0; i < steps; i++) {
      if (!asked(i)) continue
      await window.card.getByText(`file${i}.txt`).first().waitFor()
      await approve.waitFor()
      await atEnd(window, `while file${i}.txt is asked about`)
      if (answered % 3 === 0) await approve.click()
      else if (answered % 3 === 1) {
        await page.keyboard.press('F8')
        await page.keyboard.press('Alt+a')
      } else {
        // As a native dialog does: the answer comes from elsewhere.
        const { runId } = (await app.state()).runs.at(-1)
        const request = (await app.events(runId)).findLast(({ type }) => type === 'tool.confirm_request')
        await window.go('main.App.Confirm', {
          runId,
          callId: request.data.callId,
          decision: 'approve',
          hash: request.data.hash,
        })
      }
      answered++
      await window.card.getByText(`file${i}.txt`).first().waitFor({ state: 'detached' })
      await atEnd(window, `after the answer about file${i}.txt`)
      // Something became lower, and the engine moved what is seen: nobody's hand.
      await window.transcript.evaluate((box) => (box.scrollTop -= 120))
      await atEnd(window, 'though the engine moved it')
      if (answered === 4) await page.setViewportSize({ width: 900, height: 600 })
      if (answered === 5) await page.keyboard.press('Control+=')
      if (answered === 6) await page.setViewportSize({ width: 1280, height: 800 })
    }
    await window.ended()
    await atEnd(window, 'at the end')
    assert.equal(answered, 8)
    // It is lost by the user's own hand.
    await window.transcript.hover()
    await page.mouse.wheel(0, -400)
    await until('the user looks further up', async () => (await below(window)) > 100)
  },
  { viewport: { width: 1280, height: 700 } },
)
