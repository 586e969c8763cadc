import type { SameKeys } from '../dict'
import type { queue as en } from '../en/queue'

export const queue = {
  label: '等待中的消息',
  spoken: '已排队。',
  pictures: { one: '{n} 张图片', other: '{n} 张图片' },
  target: '何时发送',
  targets: { step: '这一步结束后', run: '任务结束后' },
  edit: '编辑',
  field: '等待中的消息',
  save: '保存',
  leave: '取消',
  now: '立即发送',
  send: '发送',
  remove: '移除',
  kept: '该消息已发出，刚才编辑的内容在消息输入框里。',
} satisfies SameKeys<typeof en>
