import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GetObjectCommand, PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drugMasterByUrl } from '../../../../functions/adapters/drug-master/drug-master-by-url.ts';
import {
  FileDrugMaster,
  readMasterFile,
  writeMasterFile,
} from '../../../../functions/adapters/drug-master/file-drug-master.ts';
import { packMaster } from '../../../../functions/adapters/drug-master/master-bytes.ts';
import {
  readMasterObject,
  S3DrugMaster,
  s3Location,
  writeMasterObject,
} from '../../../../functions/adapters/drug-master/s3-drug-master.ts';
import type { MasterData } from '../../../../functions/extraction/domain/master/master-file.ts';
import { SHIPPED_OBJECT } from '../../../../functions/shared/resources.ts';
import { masterData } from '../../../helpers/master-data.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-master-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('FileDrugMaster', () => {
  it('serves the shipped list until a list is imported, and the list from then on', async () => {
    const path = join(directory, 'master', 'drug-master.tsv.gz');
    const source = new FileDrugMaster(pathToFileURL(path), 0);
    expect((await source.current()).size).toBeGreaterThan(24_000);
    await writeMasterFile(path, masterData('2026-10-01', 100));
    const imported = await source.current();
    expect(imported).toMatchObject({ size: 1, info: { version: '2026-10-01' } });
    expect(await source.current()).toBe(imported);
    await writeMasterFile(path, masterData('2026-11-01', 90));
    expect((await source.current()).info.version).toBe('2026-11-01');
    expect(await readdir(join(directory, 'master'))).toEqual(['drug-master.tsv.gz']);
  });

  it('reports the fault of a file, and reads it once it is corrected', async () => {
    const path = join(directory, 'drug-master.tsv.gz');
    const source = new FileDrugMaster(pathToFileURL(path), 0);
    await writeFile(path, 'rubbish');
    await expect(source.current()).rejects.toThrow(/not a drug master/);
    const packed = await packMaster(masterData('2026-10-01', 100));
    await writeFile(path, packed.subarray(0, packed.length - 12));
    await expect(source.current()).rejects.toThrow(/damaged/);
    await writeFile(path, packed);
    await utimes(path, 1, 1);
    expect((await source.current()).size).toBe(1);
  });

  it('keeps the written data', async () => {
    const path = join(directory, 'new', 'drug-master.tsv.gz');
    expect(await readMasterFile(path)).toBeNull();
    await writeMasterFile(path, masterData('2026-10-01', 100));
    expect(await readMasterFile(path)).toEqual(masterData('2026-10-01', 100));
  });
});

describe('S3DrugMaster', () => {
  const s3 = mockClient(S3Client);
  const location = { bucket: 'masters', key: 'drug-master.tsv.gz' };
  const client = new S3Client({ region: 'ap-northeast-2' });
  beforeEach(() => s3.reset());
  afterAll(() => s3.restore());

  const object = async (data: MasterData, etag: string) => {
    const bytes = await packMaster(data);
    return { ETag: etag, Body: { transformToByteArray: async () => new Uint8Array(bytes) } } as never;
  };
  const failure = (status: number) =>
    new S3ServiceException({ name: `Http${status}`, $fault: 'client', $metadata: { httpStatusCode: status } });

  it('loads once, asks for newer versions only, and serves on when S3 does not answer', async () => {
    s3.on(GetObjectCommand).resolvesOnce(await object(masterData('2026-10-01', 100), '"one"'));
    const source = new S3DrugMaster(location, client, 0);
    const first = await source.current();
    expect(first.info.version).toBe('2026-10-01');

    s3.on(GetObjectCommand).rejectsOnce(failure(304)).rejectsOnce(failure(503));
    expect(await source.current()).toBe(first);
    expect(await source.current()).toBe(first);
    expect(s3.commandCalls(GetObjectCommand).map(({ args }) => args[0].input.IfNoneMatch)).toEqual([
      undefined,
      '"one"',
      '"one"',
    ]);

    s3.on(GetObjectCommand).resolves(await object(masterData('2026-11-01', 90), '"two"'));
    expect((await source.current()).info.version).toBe('2026-11-01');
  });

  it('does not ask again within the interval', async () => {
    s3.on(GetObjectCommand).resolves(await object(masterData('2026-10-01', 100), '"one"'));
    const source = new S3DrugMaster(location, client);
    await Promise.all([source.current(), source.current()]);
    await source.current();
    expect(s3.commandCalls(GetObjectCommand)).toHaveLength(1);
  });

  it('takes the list of the deployment until a master is imported', async () => {
    s3.on(GetObjectCommand).rejects(failure(404));
    s3.on(GetObjectCommand, { Key: SHIPPED_OBJECT }).resolves(await object(masterData('2026-01-01', 100), '"shipped"'));
    const source = new S3DrugMaster(location, client, 0);
    expect((await source.current()).info.version).toBe('2026-01-01');

    s3.on(GetObjectCommand, { Key: location.key }).resolves(await object(masterData('2026-11-01', 90), '"imported"'));
    expect((await source.current()).info.version).toBe('2026-11-01');
  });

  it('says how to import a master when there is none', async () => {
    s3.on(GetObjectCommand).rejects(failure(404));
    await expect(new S3DrugMaster(location, client).current()).rejects.toThrow(
      /no drug master at s3:\/\/masters\/drug-master.tsv.gz.*master:import/,
    );
  });

  it('replaces only the version that was read', async () => {
    s3.on(GetObjectCommand).resolves(await object(masterData('2026-10-01', 100), '"one"'));
    s3.on(PutObjectCommand).resolvesOnce({}).rejectsOnce(failure(412));
    const { data, etag } = await readMasterObject(location, client);
    expect(data).toEqual(masterData('2026-10-01', 100));
    await writeMasterObject(location, data!, etag, client);
    expect(s3.commandCalls(PutObjectCommand)[0]!.args[0].input).toMatchObject({ IfMatch: '"one"' });
    await expect(writeMasterObject(location, data!, etag, client)).rejects.toThrow(/run the import again/);

    s3.on(GetObjectCommand).rejects(failure(404));
    s3.on(PutObjectCommand).resolves({});
    const none = await readMasterObject(location, client);
    expect(none).toEqual({ data: null, etag: null });
    await writeMasterObject(location, masterData('2026-10-01', 100), none.etag, client);
    expect(s3.commandCalls(PutObjectCommand).at(-1)!.args[0].input).toMatchObject({ IfNoneMatch: '*' });
  });
});

describe('addresses', () => {
  it('of S3 name bucket and key', () => {
    expect(s3Location('s3://masters/lists/drug.gz')).toEqual({ bucket: 'masters', key: 'lists/drug.gz' });
    expect(s3Location('s3://masters')).toEqual({ bucket: 'masters', key: 'drug-master.tsv.gz' });
    expect(() => s3Location('https://masters/x')).toThrow(/s3:\/\/bucket\/key/);
  });

  it('choose the source', async () => {
    expect(await drugMasterByUrl('file:///nowhere/drug-master.tsv.gz')).toBeInstanceOf(FileDrugMaster);
    expect(await drugMasterByUrl('s3://masters/x')).toBeInstanceOf(S3DrugMaster);
    for (const url of ['', 'master.csv', 'https://example.com/master'])
      await expect(drugMasterByUrl(url)).rejects.toThrow(/DRUG_MASTER is .* must be a URL/);
  });
});
