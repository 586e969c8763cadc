import type { SameKeys } from '../dict'
import type { ends as en } from '../en/ends'

export const ends = {
  done: '完成',
  maxSteps: '已停止：步数上限 {n}',
  noOllama: 'Ollama 未在 {host} 运行。',
  noLocal: '{host} 没有应答。',
  codes: {
    RATE_LIMITED: '请求过多，服务商一直繁忙。',
    QUOTA: '服务商的额度已用完。',
    OVERLOADED: '服务出错，已保留收到的内容。',
    AUTH: '服务商拒绝了该密钥。',
    MODEL_NOT_FOUND: '此处没有该模型。',
    BAD_REQUEST: '服务商没有接受该请求。',
    FILTERED: '服务商的过滤器扣留了回答。',
    CONTEXT_OVERFLOW: '超出模型上下文。',
    NETWORK: '无法连接服务商。',
    MALFORMED: '无法读取服务商的回答。',
    TRUNCATED: '回答被截断：已达到服务商的长度上限。',
    EMPTY_REPLY: '回答一直为空。',
    TIMEOUT: '已停止：用时过长。',
    CANCELLED: '已由你停止',
    REJECTED: '已停止：你拒绝了一个调用',
    TOOL_FAILED: '已停止：工具执行失败',
    INTERNAL: 'Fairlead 未能完成此操作。',
  },
  steps: { other: '{n} 步' },
  files: { other: '{n} 个文件' },
  details: '详情',
  copyDetails: '复制详情',
  actions: {
    again: '重试',
    model: '打开模型设置',
    choose: '选择模型',
    conversation: '新对话',
  },
} satisfies SameKeys<typeof en>
