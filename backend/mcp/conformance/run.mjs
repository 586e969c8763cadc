// Runs every scenario for clients of both versions of the suite, and prints a table.
// Usage: node run.mjs CLIENT [SCENARIO]
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { expected } from './expected.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const [client, only] = process.argv.slice(2)
if (!client) {
  console.error('usage: node run.mjs CLIENT [SCENARIO]')
  process.exit(2)
}

// The tokens of a scenario stay out of the keyring.
const env = { ...process.env }
delete env.DBUS_SESSION_BUS_ADDRESS
delete env.XDG_RUNTIME_DIR

function runSuite(suite, args) {
  const program = path.join(here, 'node_modules', suite, 'dist', 'index.js')
  const hooks =
    Number(process.versions.node.split('.')[0]) < 22 ? ['--import', path.join(here, 'node20.mjs')] : []
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...hooks, program, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output }))
  })
}

async function scenariosOf(suite) {
  const { output } = await runSuite(suite, ['list', '--client'])
  return [...output.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].map(([, name, versions]) => ({ name, versions }))
}

// checksOf reads what the suite found; no file is a scenario that did not run.
async function checksOf(folder) {
  const files = await readdir(folder, { recursive: true })
  const found = files.find((name) => path.basename(name) === 'checks.json')
  return found ? JSON.parse(await readFile(path.join(folder, found), 'utf8')) : []
}

async function runScenario(suite, name) {
  const folder = await mkdtemp(path.join(tmpdir(), 'conformance-'))
  try {
    const { status, output } = await runSuite(suite, [
      'client',
      '--command',
      client,
      '--scenario',
      name,
      '-o',
      folder,
    ])
    const checks = (await checksOf(folder)).filter((check) => check.status !== 'INFO')
    const bad = checks.filter((check) => check.status === 'FAILURE' || check.status === 'WARNING')
    const reasons = bad.map((check) => `${check.id}: ${check.errorMessage ?? check.description}`)
    return { passed: status === 0, checks: checks.length, bad: bad.length, reasons, output }
  } finally {
    await rm(folder, { recursive: true })
  }
}

let surprises = 0
console.log('| suite | scenario | result | checks |\n|---|---|---|---|')
for (const suite of ['conformance-2025-11-25', 'conformance-2026-07-28']) {
  for (const { name } of await scenariosOf(suite)) {
    if (only && name !== only) continue
    const result = await runScenario(suite, name)
    const reason = expected[`${suite.slice(12)} ${name}`] ?? expected[name]
    console.log(
      `| ${suite.slice(12)} | ${name} | ${result.passed ? 'passed' : 'failed'} | ${result.checks - result.bad} of ${result.checks}${reason ? `: ${reason}` : ''} |`,
    )
    if (result.passed === Boolean(reason)) {
      surprises++
      console.error(
        result.passed
          ? `${name} passes, and is listed in expected.mjs`
          : `${name} fails:\n${result.reasons.join('\n')}\n${result.output.slice(-2000)}`,
      )
    }
  }
}
process.exitCode = surprises > 0 ? 1 : 0
