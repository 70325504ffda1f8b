import { type FinishReason, ModelFailed } from '../../chat/domain/chat-model.ts';

/**
 * The meaning of each vendor's word for the end of an answer, in lower case. `cut`: the answer is not whole, which another attempt may be.
 * A word without a meaning here is a failure, since a cut answer must not pass as a whole one.
 */
const MEANINGS: Readonly<Record<string, FinishReason | 'cut'>> = {
  // OpenAI, and most servers of its API: platform.openai.com/docs/api-reference/chat/object
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  // Anthropic: docs.anthropic.com/en/api/handling-stop-reasons; a paused turn waits for tools of Anthropic.
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
  pause_turn: 'cut',
  model_context_window_exceeded: 'length',
  // Bedrock: docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
  malformed_model_output: 'cut',
  malformed_tool_use: 'cut',
  // Gemini and Vertex AI: ai.google.dev/api/generate-content#FinishReason
  safety: 'content_filter',
  recitation: 'content_filter',
  blocklist: 'content_filter',
  prohibited_content: 'content_filter',
  spii: 'content_filter',
  image_safety: 'content_filter',
  image_prohibited_content: 'content_filter',
  image_recitation: 'content_filter',
  model_armor: 'content_filter',
  language: 'cut',
  other: 'cut',
  image_other: 'cut',
  no_image: 'cut',
  malformed_function_call: 'cut',
  malformed_response: 'cut',
  unexpected_tool_call: 'cut',
  too_many_tool_calls: 'cut',
  missing_thought_signature: 'cut',
  // Mistral: docs.mistral.ai/api
  model_length: 'length',
  error: 'cut',
  // Zhipu: docs.bigmodel.cn/api-reference
  sensitive: 'content_filter',
  network_error: 'cut',
  // DeepSeek: api-docs.deepseek.com/api/create-chat-completion
  insufficient_system_resource: 'cut',
  // Cohere: docs.cohere.com/reference/chat
  complete: 'stop',
  tool_call: 'tool_calls',
  error_toxic: 'content_filter',
  error_limit: 'length',
  timeout: 'cut',
  user_cancel: 'cut',
  // Hugging Face TGI, Together: huggingface.co/docs/text-generation-inference, docs.together.ai
  eos_token: 'stop',
  eos: 'stop',
  // Baidu: cloud.baidu.com/doc/WENXINWORKSHOP
  normal: 'stop',
  // vLLM and SGLang: docs.vllm.ai, docs.sglang.ai
  abort: 'cut',
  repetition: 'cut',
  cancelled: 'cut',
};

/** @returns null while the answer continues: some servers say so in words. @throws ModelFailed when it is not whole. */
export function finishReasonOf(said: string): FinishReason | null {
  // Vertex AI adds its own reason: "content_filter: PROHIBITED_CONTENT".
  const [word = ''] = said
    .toLowerCase()
    .replace(/^finish_?reason[._]/, '')
    .split(':');
  const reason = word.trim();
  if (NOT_YET.includes(reason)) return null;
  const meaning = Object.hasOwn(MEANINGS, reason) ? MEANINGS[reason]! : 'cut';
  if (meaning === 'cut') throw cutAnswer(reason.slice(0, 50));
  return meaning;
}

/** DashScope and Hunyuan send the text "null", Gemini "FINISH_REASON_UNSPECIFIED". */
const NOT_YET: readonly string[] = ['', 'null', 'none', 'unspecified'];

export function cutAnswer(reason: string): ModelFailed {
  return new ModelFailed('provider_error', `The model provider broke off its answer (${reason}).`, { isPassing: true });
}
