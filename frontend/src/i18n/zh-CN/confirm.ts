import type { SameKeys } from '../dict'
import type { confirm as en } from '../en/confirm'

export const confirm = {
  diff: {
    label: '改动：新增 {added} 行，删除 {removed} 行',
    gap: { other: '{n} 行未改动' },
    endless: '文件末尾没有换行符',
    crlf: '每一行都以 CR LF 结尾。',
    empty: '没有改动任何行。',
    cut: '这里只显示了开头部分。',
    all: { other: '显示全部 {n} 行' },
  },
} satisfies SameKeys<typeof en>
