import type { SameKeys } from '../dict'
import type { workspace as en } from '../en/workspace'

export const workspace = {
  tree: {
    label: '文件',
    empty: '空',
    more: { other: '只列出前 {n} 项。' },
    secret: '含有密钥或密码，工具不会读取',
    link: '链接',
  },
  mark: {
    created: '新建',
    modified: '已修改',
    deleted: '已删除',
    touched: '有变化',
    inside: '内部有改动',
  },
  refresh: '重新读取文件夹',
  limited: '未能监视全部内容：{why}',
  preview: {
    label: '预览',
    none: '选择一个文件即可在此查看。',
    close: '关闭文件',
    reading: '正在读取…',
    binary: '这不是文本文件。',
    empty: '文件为空。',
    content: '文件内容',
    truncated: '文件还有更多内容，这里只显示开头。',
  },
} satisfies SameKeys<typeof en>
