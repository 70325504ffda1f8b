import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createApplication } from '../chat.ts';
import { refillLimits } from '../limits.ts';
import { type ScriptedProvider, scriptedProvider } from '../scripted-provider.ts';
import type { UsedService } from '../service.ts';
import { envelope, runWorkflow } from './calls.ts';
import { difyNode, importDify } from './dify.ts';

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Runs of imported files, with a model that plays scripts and a server that records its requests. */
export function useDifyFiles(service: UsedService) {
  let provider: ScriptedProvider;
  let address: string;
  const requests: Request[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('latin1').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body: Buffer.from(body, 'latin1').toString() });
      const status = /^\/missing/.test(url) ? 404 : /^\/busy/.test(url) ? 503 : 200;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ auth: headers.authorization ?? null }));
    });
  });
  beforeAll(async () => {
    provider = await scriptedProvider();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await provider.stop();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(async () => {
    requests.length = 0;
    await refillLimits();
  });

  const model = () => ({
    provider: 'openai-compatible',
    name: 'm',
    base_url: provider.baseUrl,
    api_key: 'sk-secret-of-the-provider',
  });

  return {
    requests,
    get provider() {
      return provider;
    },
    get address() {
      return address;
    },
    /** Runs the draft of a file. */
    async ran(dsl: string, body: object = {}) {
      const imported = await importDify(service, dsl);
      const { json } = await runWorkflow(service, imported.workflow.id, { version: 'draft', ...body });
      return { ...json.data, imported };
    },
    /** A chat application on the model, which answers by the published graph of a file. */
    async chatOn(dsl: string) {
      const imported = await importDify(service, dsl);
      await envelope(service, 'POST', `/workflows/${imported.workflow.id}/versions`, {});
      const config = { workflow_id: imported.workflow.id, model: model() };
      const { id } = await createApplication(service, { type: 'workflow', config });
      return { id, imported };
    },
  };
}

/** The last node of a file, with its outputs. */
export const difyEnd = (...outputs: readonly (readonly [string, readonly string[]])[]) =>
  difyNode('end', {
    type: 'end',
    outputs: outputs.map(([variable, value_selector]) => ({ variable, value_selector })),
  });
