export const queue = {
  label: 'Messages that wait',
  spoken: 'Queued.',
  /** They go with a message. */
  pictures: { one: '{n} picture', other: '{n} pictures' },
  /** When the model is given a message. */
  target: 'When it is sent',
  targets: { step: 'After this step', run: 'After the run' },
  edit: 'Edit',
  field: 'Message that waits',
  save: 'Save',
  leave: 'Cancel',
  now: 'Send now',
  send: 'Send',
  remove: 'Remove',
  /** The message was given to the model while it was edited. */
  kept: 'It was sent meanwhile. What you wrote is in the message field.',
}
