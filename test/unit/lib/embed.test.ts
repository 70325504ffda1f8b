import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import embed from '../../../functions/chat/embed/script.json' with { type: 'json' };
import { buildEmbed } from '../../../lib/packaging/build-embed.ts';

it('the served chatbot script is built from its sources: after a change, npm run build:embed', async () => {
  expect(embed.script).toBe(await buildEmbed());
});

it('the served chatbot script has at most 30 KB, compressed', () => {
  expect(gzipSync(embed.script).length).toBeLessThanOrEqual(30_000);
});
