import type { SameKeys } from '../dict'
import type { failures as en } from '../en/failures'

export const failures = {
  plain: {
    FILTERED: '服务商的内容过滤器中止了回复。请换一种说法。',
    TOO_LARGE: '请减少每一步要求的内容。',
    TRUNCATED: '请减少单次要求的内容，或调高模型的输出上限。',
    EMPTY_REPLY: '模型没有回复任何内容。请重试，或换用其他模型。',
    CONTEXT_OVERFLOW: '请开始新对话，或换用上下文更大的模型。',
    TOOL_FAILED: '任务已设为在工具调用失败时停止。',
    HOOK_FAILED: '请停用或修复该扩展。',
  },
  causes: {
    run_limit: '运行 {time} 后达到时间上限，已停止。',
    silence: '模型在 {time} 内没有返回任何内容。请检查它是否在运行。',
    stood_still: '计算机或 Fairlead 曾暂停运行，连接已断开。',
    repeats: '模型不断重复相同的内容。请重试，或换用其他模型。',
    lost: '结束原因已丢失：保存对话的文件曾损坏。',
  },
  by: {
    user: '你选择了停止。',
    mode: '无法询问是否继续。',
    timeout: '无人回答是否继续。',
  },
  status: '服务商返回了 HTTP {status}。',
  said: '“{said}”',
  wait: '服务商要求等待 {time}。',
} satisfies SameKeys<typeof en>
