import { describe, expect, it } from 'vitest';
import { extraction, extractionResult } from '../../../functions/extraction/schemas.ts';
import { call, EXTRACT_PATH, problemOf } from '../../helpers/api.ts';
import { batchCall, finishedJob, type Job } from '../../helpers/batch.ts';
import { latinSentences } from '../../helpers/latin-sentences.ts';
import { fixturePage } from '../../helpers/page-images.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, type TestWorkspace } from '../../helpers/workspace.ts';

const service = useService();
const KOREAN = { 'accept-language': 'ko-KR,ko;q=0.9' };
const REVIEWED = 'hard-001.jpg';

const inKorean = (workspace: TestWorkspace, method: string, path: string, body?: unknown) =>
  call({ ...service, ...workspace }, method, path, { headers: KOREAN, ...(body !== undefined && { body }) });

describe('with Accept-Language: ko', () => {
  it('the notes of a page are in Korean in its result and its look-up, and in English without the header', async () => {
    const workspace = await createWorkspace();
    const image = (await fixturePage(REVIEWED)).toString('base64');
    const answer = await inKorean(workspace, 'POST', EXTRACT_PATH, { image });
    const result = extractionResult.strict().parse(answer.json);
    const notes = result.items.flatMap(({ review }) => review);
    expect(notes.length).toBeGreaterThan(0);
    for (const note of notes) expect(note).toMatch(/^[a-z_]+: .*[가-힣]/);
    expect(notes.flatMap((note) => latinSentences(note))).toEqual([]);

    const path = `/api/v1/extractions/${result.requestId}`;
    const korean = extraction.strict().parse((await inKorean(workspace, 'GET', path)).json);
    expect(korean.items).toEqual(result.items);
    const english = extraction.strict().parse((await call({ ...service, ...workspace }, 'GET', path)).json);
    expect(english.items.map(({ review }) => review.map(codeOf))).toEqual(
      result.items.map(({ review }) => review.map(codeOf)),
    );
    for (const note of english.items.flatMap(({ review }) => review)) expect(note).not.toMatch(/^[a-z_]+: .*(니다|%)/);
    expect(english.findings!.map((line) => line.map(({ code }) => code))).toEqual(
      english.items.map(({ review }) => review.map(codeOf)),
    );
  });

  it('errors are in Korean, with the fields that are wrong and the amounts that matter', async () => {
    const workspace = await createWorkspace({ balanceKrw: 100, freeCallsUsed: 10 });
    const wrong = problemOf(await inKorean(workspace, 'POST', EXTRACT_PATH, { image: '', extra: 1 }));
    expect(wrong).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^요청에 잘못된 내용이 있습니다\. /),
      details: { fields: { image: '비어 있습니다', extra: '여기에 없는 항목입니다' } },
    });
    const short = problemOf(await inKorean(workspace, 'POST', EXTRACT_PATH, { image: 'aGk=' }));
    expect(short.message).toBe(
      '잔액이 부족합니다. 충전한 뒤 다시 보내세요. 요금은 청구되지 않았습니다. 잔액 100원, 필요한 금액 200원.',
    );
    const unknown = problemOf(await inKorean(workspace, 'GET', '/api/v1/extractions/ext_none'));
    expect(unknown.message).toMatch(/^찾을 수 없습니다/);
  });

  it('the error of an image of a batch is in Korean as well', async () => {
    const workspace = await createWorkspace();
    const { jobId } = (await batchCall(service, workspace, { images: ['aGVsbG8='] })).json as { jobId: string };
    const english = await finishedJob(service, workspace, jobId);
    expect(english.images[0]!.error).toMatchObject({
      code: 'unsupported_media_type',
      message: expect.stringMatching(/^The content is not/),
    });
    const korean = (await inKorean(workspace, 'GET', `/api/v1/jobs/${jobId}`)).json as Job;
    expect(korean.images[0]!.error).toMatchObject({
      code: 'unsupported_media_type',
      message: expect.stringMatching(/^읽을 수 없는 형식/),
    });
  });

  it('the two fixed texts of the sandbox are in Korean, and as they are fixed without the header', async () => {
    const refused = (headers: Record<string, string>) =>
      call(service, 'POST', '/api/v1/execute', { key: null, headers, body: {} });
    expect((await refused({})).json).toEqual({ detail: 'Invalid or missing API key' });
    expect((await refused(KOREAN)).json).toEqual({ detail: expect.stringMatching(/^인증 정보가 없거나/) });
  });
});

function codeOf(note: string): string {
  return note.slice(0, note.indexOf(':'));
}
