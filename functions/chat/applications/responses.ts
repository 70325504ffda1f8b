import type * as z from 'zod';
import { withoutTrailingSlashes } from '../../shared/without-trailing-slashes.ts';
import type { Application, ModelConfig } from '../domain/application.ts';
import type { ApplicationChange, ConfigDraft, ModelDraft } from '../domain/manage-applications.ts';
import type { application, applicationBody, applicationChange, OmittableParameter } from './schemas.ts';
import { toToolDraft, toToolResponse } from './tool-responses.ts';

type ConfigBody = z.output<typeof applicationBody>['config'];
type ModelBody = Omit<NonNullable<ConfigBody['model']>, 'fallbacks'>;

export function toConfigDraft({
  model,
  system_prompt,
  temperature,
  top_p,
  max_tokens,
  history_tokens,
  knowledge_bases,
  tools,
  stream_start,
  workflow_id,
  mcp,
}: ConfigBody): Partial<ConfigDraft> {
  return {
    ...(model && { model: toModelDraft(model), fallbacks: model.fallbacks.map(toModelDraft) }),
    ...(system_prompt !== undefined && { systemPrompt: system_prompt }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(max_tokens !== undefined && { maxTokens: max_tokens }),
    ...(history_tokens !== undefined && { historyTokens: history_tokens }),
    ...(knowledge_bases !== undefined && { knowledgeBases: [...new Set(knowledge_bases)] }),
    ...(tools !== undefined && { tools: tools.map(toToolDraft) }),
    ...(stream_start !== undefined && { streamStart: stream_start }),
    ...(workflow_id !== undefined && { workflowId: workflow_id }),
    ...(mcp && { mcp: { enabled: mcp.enabled, name: mcp.name ?? null, description: mcp.description ?? null } }),
  };
}

export function toApplicationChange(
  { name, description, config, updated_at }: z.output<typeof applicationChange>,
  etag: string | undefined,
): ApplicationChange {
  const version = etag === undefined || etag === '*' ? undefined : Number(/\d+/.exec(etag)?.[0]);
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(config !== undefined && { config: toConfigDraft(config) }),
    expected: { ...(version !== undefined && { version }), ...(updated_at !== undefined && { updatedAt: updated_at }) },
  };
}

function toModelDraft({
  provider,
  name,
  base_url,
  api_key,
  timeout,
  context_window,
  extra_body,
  omit_parameters,
  max_tokens_parameter,
  transcription_model,
}: ModelBody): ModelDraft {
  return {
    provider,
    name,
    baseUrl: base_url == null ? null : withoutTrailingSlashes(base_url),
    apiKey: api_key,
    timeoutSeconds: timeout,
    contextWindow: context_window,
    extraBody: extra_body,
    omittedParameters: omit_parameters,
    maxTokensParameter: max_tokens_parameter ?? null,
    transcriptionModel: transcription_model ?? null,
  };
}

export function toApplicationResponse(stored: Application): z.output<typeof application> {
  const { applicationId, name, type, description, config, createdAt, updatedAt } = stored;
  const {
    model,
    fallbacks,
    systemPrompt,
    temperature,
    topP,
    maxTokens,
    historyTokens,
    knowledgeBases,
    tools,
    streamStart,
    workflowId,
    mcp,
  } = config;
  return {
    id: applicationId,
    name,
    type,
    description,
    config: {
      model: { ...toModelResponse(model), fallbacks: fallbacks.map(toModelResponse) },
      system_prompt: systemPrompt,
      temperature,
      top_p: topP,
      max_tokens: maxTokens,
      history_tokens: historyTokens,
      knowledge_bases: [...knowledgeBases],
      tools: tools.map(toToolResponse),
      stream_start: streamStart,
      workflow_id: workflowId,
      mcp: { ...mcp },
    },
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

export function etagOf({ version }: Pick<Application, 'version'>): Readonly<Record<string, string>> {
  return { etag: `"v${version}"` };
}

function toModelResponse({
  provider,
  name,
  baseUrl,
  apiKey,
  timeoutSeconds,
  contextWindow,
  extraBody,
  omittedParameters,
  maxTokensParameter,
  transcriptionModel,
}: ModelConfig) {
  return {
    provider,
    name,
    base_url: baseUrl,
    has_api_key: apiKey !== null,
    timeout: timeoutSeconds,
    context_window: contextWindow,
    extra_body: { ...extraBody },
    omit_parameters: omittedParameters as OmittableParameter[],
    max_tokens_parameter: maxTokensParameter,
    transcription_model: transcriptionModel,
  };
}
