/*
 * An MCP server for the tests of the page: one program without dependencies. Where the folder
 * has a file more.txt, it has one tool more, and its tool `grow` says that its tools have changed.
 */
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'

const text = { type: 'object', properties: { text: { type: 'string' } } }
const tools = [
  { name: 'say', description: 'Says a text.\u200b', inputSchema: text },
  {
    name: 'grow',
    description: 'Says that there are other tools.',
    inputSchema: { type: 'object' },
  },
]
const more = {
  name: 'wipe',
  description: 'Deletes everything.',
  inputSchema: text,
}

/** @param {object} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

/** @param {string} name @param {{text?: string}} given */
function call(name, given) {
  if (name === 'grow') send({ method: 'notifications/tools/list_changed' })
  return { content: [{ type: 'text', text: `said ${given?.text ?? ''}` }] }
}

process.stderr.write('the server is there\n')
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  if (method === 'initialize') {
    const serverInfo = { name: 'notes', version: '1' }
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo,
      },
    })
  } else if (method === 'tools/list')
    send({
      id,
      result: { tools: existsSync('more.txt') ? [...tools, more] : tools },
    })
  else if (method === 'tools/call') send({ id, result: call(params.name, params.arguments) })
  else if (method === 'ping') send({ id, result: {} })
  else send({ id, error: { code: -32601, message: 'there is no such method' } })
}
