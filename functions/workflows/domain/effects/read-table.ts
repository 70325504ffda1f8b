import { numberField, objectField, textField } from '../graph/fields.ts';
import { toFile } from '../graph/files.ts';
import type { JsonObject } from '../graph/graph.ts';
import { effectKey, type NodeCall, NodeFailed, type NodeResult } from '../run/node-effects.ts';
import type { EffectPorts } from './effect-ports.ts';
import { keyIdOf } from './key-id.ts';

/** Reads the drug table of an image. It is charged exactly once per run. */
export async function readTable(
  call: NodeCall,
  signal: AbortSignal,
  { tables }: Pick<EffectPorts, 'tables'>,
): Promise<NodeResult> {
  const { config, run } = call;
  const given = config.image ?? null;
  const image = toFile(typeof given === 'string' ? given.trim() : given)?.url;
  if (image === undefined)
    throw new NodeFailed(
      'invalid_image',
      `config.image is ${JSON.stringify(given).slice(0, 100)}. It must be a file, an https address, or a data: URL of an image.`,
    );
  const template = textField(config, 'template_id');
  const reading = await tables.read(
    {
      workspaceId: run.workspaceId,
      keyId: keyIdOf(call),
      applicationId: run.trigger.applicationId,
      onceKey: effectKey(call),
      image,
      templateId: template === '' ? null : template,
    },
    signal,
  );
  const krw = numberField(objectField(reading, 'cost'), 'krw', 0);
  const outputs: JsonObject = {
    extraction_id: reading.requestId ?? null,
    found_table: reading.foundTable ?? false,
    document_type: reading.documentType ?? null,
    items: reading.items ?? [],
    summary: reading.summary ?? {},
    meta: reading.meta ?? {},
    cost_krw: krw,
  };
  return { outputs, cost: { krw } };
}
