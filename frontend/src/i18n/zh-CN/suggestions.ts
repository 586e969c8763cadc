import type { SameKeys } from '../dict'
import type { suggestions as en } from '../en/suggestions'

export const suggestions = {
  title: '此文件夹的建议',
  found: '此文件夹建议使用：{what}。',
  between: '、',
  counts: {
    instructions: { other: '{n} 个说明文件' },
    skill: { other: '{n} 个技能' },
    server: { other: '{n} 个服务器' },
    assistant: { other: '{n} 个面向其他程序的文件' },
  },
  look: '查看',
  later: '暂不使用',
  nothing: '此文件夹没有任何建议。',
  note: '未经你同意，这里的内容一概不会使用。你同意的只是眼前看到的内容：一旦有变化，会再次询问。',
  reading: '正在读取…',
  more: '还有更多内容未在此列出。',
  list: '建议列表',
  kinds: { instructions: '说明', skill: '技能', server: '服务器', assistant: '面向其他程序' },
  states: { undecided: '待决定', use: '已使用', skip: '不使用', shown: '仅供查看' },
  text: '{path} 的内容',
  decision: '如何处理 {path}',
  use: '使用',
  skip: '不使用',
  about: {
    everywhere: '给模型的说明。使用后，每个任务都会把它交给模型。',
    nearby: '给模型的说明。使用后，模型处理 {folder} 中的文件时会收到它。',
    assistant: '其他编程助手的设置或钩子，仅供查看：Fairlead 绝不会运行或遵照其中的内容。',
  },
  changed: '内容在显示之后有了变化。下面是现在的内容，请重新看过再决定。',
  hidden: '其中有隐藏字符，以这种形式显示：{example}。',
  cut: '内容在此截断：共 {all}，只显示前 {shown}。',
  cutUse: '模型收到的也只有这些。',
} satisfies SameKeys<typeof en>
