// @vitest-environment node
import { describe, expect, it } from 'vitest'

import { Fault, faultOf, parseFault } from './fault'

describe('a rejected call', () => {
  it('becomes the fault that its JSON names', () => {
    const fault = faultOf(new Error('{"code":"KEYRING","message":"save the key: locked","hint":"unlock it"}'))
    expect(fault).toBeInstanceOf(Fault)
    expect({ ...fault, message: fault.message }).toMatchObject({
      code: 'KEYRING',
      message: 'save the key: locked',
      hint: 'unlock it',
    })
  })

  it('has no hint where none was sent', () => {
    expect(parseFault('{"code":"BUSY","message":"a task is running"}')?.hint).toBe('')
  })

  it.each([
    ['text', new Error('boom'), 'boom'],
    ['another JSON value', new Error('[1]'), '[1]'],
    ['JSON with other fields', new Error('{"code":1,"message":"x"}'), '{"code":1,"message":"x"}'],
    ['null as text', 'null', 'null'],
    ['something thrown', 42, '42'],
  ])('is INTERNAL for %s', (_, reason, message) => {
    expect(faultOf(reason)).toMatchObject({ code: 'INTERNAL', message })
  })

  it('stays the fault it is', () => {
    const fault = new Fault('NO_ANSWER', 'late')
    expect(faultOf(fault)).toBe(fault)
  })
})
