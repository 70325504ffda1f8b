import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll } from 'vitest';
import { FileDrugMaster, writeMasterFile } from '../../../functions/adapters/drug-master/file-drug-master.ts';
import { packMaster } from '../../../functions/adapters/drug-master/master-bytes.ts';
import {
  readMasterObject,
  S3DrugMaster,
  writeMasterObject,
} from '../../../functions/adapters/drug-master/s3-drug-master.ts';
import { SHIPPED_MASTER } from '../../../functions/adapters/drug-master/shipped-master.ts';
import { SHIPPED_OBJECT } from '../../../functions/shared/resources.ts';
import { type EmbeddedS3, startS3 } from '../../../local/embedded/s3.ts';
import { describeDrugMasterSource } from '../../helpers/drug-master-source-contract.ts';

const BUCKETS = ['masters-1', 'masters-2', 'masters-3', 'masters-4'];

let directory: string;
let server: EmbeddedS3;
let client: S3Client;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-masters-'));
  server = await startS3(join(directory, 's3'), BUCKETS);
  client = new S3Client({
    region: 'ap-northeast-2',
    endpoint: server.url,
    forcePathStyle: true,
    credentials: server.key,
  });
});
afterAll(async () => {
  client.destroy();
  await server.stop();
  await rm(directory, { recursive: true });
});

let opened = 0;

describeDrugMasterSource('FileDrugMaster', async () => {
  const path = join(directory, `data-${opened++}`, 'master', 'drug-master.tsv.gz');
  return {
    source: new FileDrugMaster(pathToFileURL(path), 0),
    import: (data) => writeMasterFile(path, data),
    async overwrite(bytes) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
    },
  };
});

describeDrugMasterSource('S3DrugMaster', async () => {
  const location = { bucket: BUCKETS[opened++ % BUCKETS.length]!, key: 'drug-master.tsv.gz' };
  const put = async (Key: string, Body: Uint8Array) =>
    void (await client.send(new PutObjectCommand({ Bucket: location.bucket, Key, Body })));
  await put(SHIPPED_OBJECT, await readFile(SHIPPED_MASTER));
  return {
    source: new S3DrugMaster(location, client, 0),
    async import(data) {
      const read = await readMasterObject(location, client).catch(() => null);
      if (read === null) await put(location.key, await packMaster(data));
      else await writeMasterObject(location, data, read.etag, client);
    },
    overwrite: (bytes) => put(location.key, bytes),
  };
});
