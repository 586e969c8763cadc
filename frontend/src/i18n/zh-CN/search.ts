import type { SameKeys } from '../dict'
import type { search as en } from '../en/search'

export const search = {
  label: '搜索对话',
  clear: '清除',
  titles: '标题',
  messages: '消息',
  none: '没有找到。',
  short: '请至少输入两个字符。',
  more: '还有更多结果，请输入更多文字。',
  you: '你',
  assistant: '助手',
  find: {
    label: '在此对话中查找',
    older: '较早',
    newer: '较新',
    close: '关闭',
    count: '第 {at} 处，共 {n} 处',
    countMore: '第 {at} 处，共 {n} 处以上',
    none: '未找到',
  },
} satisfies SameKeys<typeof en>
