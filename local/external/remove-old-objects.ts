import { DeleteObjectsCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';

/** Removes a bucket's objects that were last written before then: few S3-compatible stores have lifecycle rules. */
export async function removeOldObjects(client: S3Client, Bucket: string, beforeMs: number): Promise<void> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    const Objects = Contents.filter(({ LastModified }) => LastModified && LastModified.getTime() < beforeMs).map(
      ({ Key }) => ({ Key }),
    );
    if (Objects.length === 0) continue;
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    if (Errors.length > 0) throw new Error(`${Errors[0]?.Key} was not removed: ${Errors[0]?.Message}`);
  }
}
