import { describe, expect, it } from 'vitest';
import { reachable } from '../../../bin/rights/reachable.ts';
import { usedBy } from '../../../bin/rights/store-rights.ts';

/** Classes and functions of the service, as a bundle has them. */
const SERVICE = `
  // functions/shared/resources.ts
  var queues = { runs: queue('RUNS_QUEUE_URL'), knowledge: queue('KNOWLEDGE_QUEUE_URL') };
  // functions/adapters/sqs/sqs-queue.ts
  var SqsQueue = class {
    async send(messages) { await this.client.send(new SendMessageBatchCommand({ messages })); }
    async changeVisibility(handle) { await this.client.send(new ChangeMessageVisibilityCommand({ handle })); }
  };
  // functions/adapters/sqs/queue-by-url.ts
  function queueByUrl(url) {
    const queue = () => new SqsQueue(client, url);
    return { send: (...all) => queue().send(...all), changeVisibility: (...all) => queue().changeVisibility(...all) };
  }
  // functions/adapters/secrets/kms-secret-box.ts
  var KmsSecretBox = class {
    async seal(text) { return this.client.send(new EncryptCommand({ text })); }
    async open(sealed) { return this.client.send(new DecryptCommand({ sealed })); }
  };
  // functions/wiring/shared/secret-box.ts
  function secretBox() {
    const box = () => new KmsSecretBox(client);
    return { seal: (...all) => box().seal(...all), open: (...all) => box().open(...all) };
  }
  // functions/adapters/lambda/invoke-function.ts
  function invokeFunction(id) { return client.send(new InvokeCommand({ id })); }
  // functions/adapters/tokens/secrets.ts
  function readSecret(id) { return client.send(new GetSecretValueCommand({ id })); }
`;

const rightsOf = (handler: string) =>
  usedBy(
    'service.function',
    reachable(`${SERVICE}\nconst handler = async (event) => { ${handler} };\nexport { handler };`),
    {},
  );

describe('the rights that a function’s code can use', () => {
  it.each([
    ['do not exist where nothing is called', 'queues; return {};', {}],
    ['do not come from calls of another client', "return client.send(new ScanCommand({ url: 'x' }));", {}],
    [
      'are to send to the queue whose address it has, and to no other',
      "await queueByUrl(environment('RUNS_QUEUE_URL')).send(messages);",
      { 'queue:runs': 'SendMessage' },
    ],
    [
      'are to put off messages only where it does',
      "const queue = queueByUrl(environment('KNOWLEDGE_QUEUE_URL')); await queue.changeVisibility(event);",
      { 'queue:knowledge': 'ChangeMessageVisibility' },
    ],
    ['are to encrypt alone where it seals', 'return secretBox().seal(event);', { 'key:secrets': 'Encrypt' }],
    ['are to decrypt alone where it opens', 'return secretBox().open(event);', { 'key:secrets': 'Decrypt' }],
    ['are to invoke where it invokes', 'return invokeFunction(event);', { functions: 'InvokeFunction' }],
    ['are to read a secret where it reads one', 'return readSecret(event);', { secrets: 'GetSecretValue' }],
  ])('%s', (_, handler, rights) => {
    expect(rightsOf(handler)).toEqual(rights);
  });

  it('are to send to any queue where the code chooses it as it runs', () => {
    const rights = rightsOf('await queueByUrl(environment(queues[event.queue].environment)).send(event);');
    expect(rights).toMatchObject({ 'queue:runs': 'SendMessage', 'queue:knowledge': 'SendMessage' });
  });
});
