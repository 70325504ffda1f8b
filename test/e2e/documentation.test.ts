import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { announced } from '../../local/running-service.ts';
import { type TestService, useOwnService } from '../helpers/service.ts';
import { differences, pageSnippets, runSnippets, snippetsOf } from '../helpers/snippets.ts';

// Snippets ask faster than people do.
process.env.CHAT_LIMIT_PER_MINUTE = '0';

const PAGES = globSync('{README.md,docs/**/*.md}').toSorted();

/** The service that all pages talk to; its routes may take as long as a busy machine needs. */
const service = useOwnService(async (started) => {
  folder = await mkdtemp(join(tmpdir(), 'tripod-docs-'));
  hosted = await asHosted(started);
});
let folder: string;
let hosted: { env: Readonly<Record<string, string>>; stop: () => void };
afterAll(async () => {
  hosted?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The environment in which commands for a deployed stage find the local service: a CloudFormation that names its tables, and a Lambda with the usual quota. */
async function asHosted({ dataDir, baseUrl }: TestService) {
  const { environment } = (await announced(dataDir))!;
  const outputs = { AccountsTable: environment.ACCOUNTS_TABLE };
  const server = createServer((request, response) => {
    if (request.url?.includes('account-settings')) {
      const settings = { AccountLimit: { ConcurrentExecutions: 1000 } };
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(settings));
    }
    const members = Object.entries(outputs).map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    return response
      .setHeader('content-type', 'text/xml')
      .end(`<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
      <StackName>tripod</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs>
      </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const aws = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: {
      ...environment,
      AWS_ENDPOINT_URL_CLOUDFORMATION: aws,
      AWS_ENDPOINT_URL_LAMBDA: aws,
      ACCOUNTS_TABLE: '',
      URL: baseUrl,
      PAYMENT_SECRET_NAME: 'payment',
    },
    stop: () => server.close(),
  };
}

describe('the snippets of', () => {
  const withSnippets = PAGES.filter((page) =>
    snippetsOf(readFileSync(page, 'utf8')).some(({ language }) => ['sh', 'python', 'ts'].includes(language)),
  );

  it.each(withSnippets)('%s run, and their responses are as shown', { timeout: 400_000 }, async (page) => {
    const snippets = await pageSnippets(page);
    const isHosted = ({ flags }: { readonly flags: readonly string[] }) => flags.includes('hosted');
    const local = await runSnippets(
      snippets.filter((each) => !isHosted(each)),
      { service, folder },
    );
    await runSnippets(snippets.filter(isHosted), { service, folder, env: hosted.env });
    for (const [index, shown] of snippets.entries()) {
      if (shown.language !== 'json') continue;
      const before = snippets[index - 1];
      const call = local.find(({ snippet }) => snippet === before);
      // With nothing but a blank line between them.
      if (call && shown.line - call.snippet.lastLine <= 2)
        expect(differences(JSON.parse(shown.text), JSON.parse(call.output)), `line ${shown.line}`).toEqual([]);
    }
  });

  it('every page are in languages that this test knows', async () => {
    const languages = (await Promise.all(PAGES.map(pageSnippets))).flat().map(({ language }) => language);
    expect(
      [...new Set(languages)].filter((name) => !['', 'html', 'json', 'python', 'sh', 'text', 'ts'].includes(name)),
    ).toEqual([]);
  });
});
