// The suite imports a function of Node 22 that no scenario of a client calls.
import { register } from 'node:module'

register('./node20-hooks.mjs', import.meta.url)
