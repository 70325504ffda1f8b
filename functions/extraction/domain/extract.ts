import type { Account } from '../../accounts/domain/account.ts';
import type { Payer } from '../../accounts/domain/budgets.ts';
import { AccountBusy } from '../../accounts/domain/change-account.ts';
import { dataSettingsOf, keepsImages, keepsInlineImages } from '../../accounts/domain/data-settings.ts';
import { claimKey, stillRunning, whileClaimed } from '../../shared/idempotency/claim-key.ts';
import type { IdempotencyStore } from '../../shared/idempotency/idempotency-store.ts';
import type { KeyedCall } from '../../shared/idempotency/keyed-call.ts';
import { LeaseLost } from '../../shared/leases/lease.ts';
import type { FreeWork } from '../../shared/limits/free-work.ts';
import type { PageTrace } from './explain-page.ts';
import { ExtractRefused } from './extract-refused.ts';
import type { ExtractionResult } from './extraction.ts';
import { type FreePages, FreePagesUsedUp } from './free-pages.ts';
import type { ImageSource } from './image-source.ts';
import { decodeInlineImage } from './inline-image.ts';
import { koreanDate } from './korean-date.ts';
import { givenLabels, type Labels } from './labels.ts';
import { isOverrun } from './line/crowd.ts';
import { replayedResult } from './line/stored-reference.ts';
import type { Judgement, JudgeOptions, PageJudge } from './page-judge.ts';
import { ImageRefused } from './reading/image-refused.ts';
import type { Template } from './reading/template.ts';
import { affordableCharge, fundedAccount, type ReadPage, type SettlePorts, settle } from './settle.ts';
import type { Extractions } from './stored-extraction.ts';
import { DEFAULT_TEMPLATE_ID, knownTemplate } from './templates.ts';
import { type StoredImages, uploadKey as uploadKeyOf } from './uploads.ts';

export interface ExtractPorts extends SettlePorts {
  readonly idempotency: IdempotencyStore;
  readonly extractions: Pick<Extractions, 'find'>;
  readonly images: ImageSource;
  readonly uploads: StoredImages;
  readonly freePages: FreePages;
  /** Budget of free pages; absent: unlimited. */
  readonly freeWork?: Pick<FreeWork, 'waitSeconds' | 'count'>;
  readonly pages: PageJudge;
  /** Called where the image of a call could not be kept. */
  readonly onPictureLost?: (error: unknown) => void;
}

export interface ExtractCommand extends Labels {
  readonly workspaceId: string;
  /** API key of the call; absent or null: none. */
  readonly keyId?: string | null;
  /** Application that the call is for; absent or null: none. */
  readonly applicationId?: string | null;
  /** Network address of the call, as limits count it. */
  readonly address?: string | null;
  /** Exactly one of the two. */
  readonly image?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly templateId?: string | undefined;
  /** ISO date whose prices hold; absent: the sheet's own, else today. */
  readonly serviceDate?: string | undefined;
  /** Page of a PDF or TIFF, from 1; absent: the first. */
  readonly page?: number | undefined;
  /** With the trace of how the page was interpreted. */
  readonly debug?: boolean;
  readonly idempotency: KeyedCall | null;
  /** Epoch time after which nothing may be charged any more: the client will have got a time-out. */
  readonly deadlineMs: number;
}

export interface ExtractOutcome {
  readonly result: ExtractionResult;
  /** True when this is the result of an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** Null when it was not asked for, or nothing was read because this is an earlier answer. */
  readonly trace: PageTrace | null;
}

/** Part of a call's time that is kept for its settlement. */
const SETTLEMENT_RESERVE_MS = 1000;

/** A command that passed its checks. */
interface CheckedCommand {
  readonly workspaceId: string;
  readonly template: Template;
  readonly image: { readonly bytes: Uint8Array } | { readonly url: string };
  readonly deadlineMs: number;
}

/**
 * Reads one image, judges its lines, and settles: the whole of `POST /edi-extract-lite/extract`. Up to the settlement
 * nothing is changed but the claim of the Idempotency-Key, so that a failure or a crash anywhere costs the client nothing.
 * @throws ExtractRefused, ImageRefused, ImageFetchFailed, FreePagesUsedUp, IdempotencyRefused, ReaderUnavailable, AccountBusy
 */
export async function extract(command: ExtractCommand, ports: ExtractPorts): Promise<ExtractOutcome> {
  const checked = checkCommand(command);
  const extractionId = ports.ids.next('ext');
  // Read in parallel, and awaited only when the key was claimed: a replay needs no account.
  const { address = null, keyId = null, applicationId = null } = command;
  const payer = { keyId, applicationId };
  const fundsRead = fundsOf(checked.workspaceId, payer, ports, address);
  fundsRead.catch(() => undefined);
  const claimed = await claimKey(checked.workspaceId, command.idempotency, extractionId, ports);
  if ('replay' in claimed) {
    const result = await replayedResult(checked.workspaceId, claimed.replay, ports.extractions);
    return { result, replayed: true, trace: null };
  }
  const { claim } = claimed;
  return whileClaimed(claim, ports.idempotency, async () => {
    const account = await fundsRead;
    const { image, template, workspaceId, deadlineMs } = checked;
    const { bytes, uploadKey: uploaded } =
      'bytes' in image ? { ...image, uploadKey: null } : await ports.images.fetch(image.url, workspaceId);
    const options = {
      workspaceId,
      deadlineMs: deadlineMs - SETTLEMENT_RESERVE_MS,
      explained: command.debug,
      serviceDate: command.serviceDate,
      page: command.page,
      address,
    };
    const { page, trace } = await readAndJudge(bytes, template, options, ports);
    const keeps = 'bytes' in image && page.foundTable && keepsInlineImages(dataSettingsOf(account));
    const uploadKey = keeps ? uploadKeyOf(workspaceId, extractionId) : uploaded;
    const labels = givenLabels(command);
    const read = { extractionId, page, seen: account, lease: claim, deadlineMs, ...payer, uploadKey, labels };
    const result = await settleClaimed(read, ports);
    // Paid for, the result is the client's, with its picture or without.
    if (keeps) await ports.uploads.put(uploadKey!, bytes).catch((error: unknown) => ports.onPictureLost?.(error));
    await forgetImage(uploadKey, account, ports);
    await countFreeCall(result, address, ports);
    return { result, replayed: false, trace };
  });
}

/** @throws ExtractRefused, ImageRefused: the checks that need no other service. */
function checkCommand({ workspaceId, image, imageUrl, templateId, deadlineMs }: ExtractCommand): CheckedCommand {
  const template = knownTemplate(templateId ?? DEFAULT_TEMPLATE_ID);
  if (image !== undefined && imageUrl === undefined)
    return { workspaceId, template, image: { bytes: decodeInlineImage(image) }, deadlineMs };
  if (imageUrl !== undefined && image === undefined)
    return { workspaceId, template, image: { url: imageUrl }, deadlineMs };
  throw new ExtractRefused('invalid_request', 'Send exactly one of image and imageUrl.', {
    fields: { image: 'exactly one of image and imageUrl', imageUrl: 'exactly one of image and imageUrl' },
  });
}

/** The account of a workspace that may send a page. @throws ExtractRefused 'insufficient_balance', 'budget_used_up'; AccountBusy, FreePagesUsedUp */
export async function fundsOf(
  workspaceId: string,
  payer: Payer,
  ports: Pick<ExtractPorts, 'accounts' | 'freePages' | 'freeWork' | 'heldFunds' | 'clock'>,
  address: string | null = null,
): Promise<Account> {
  const { freePages, freeWork, clock } = ports;
  const [account, waitSeconds] = await Promise.all([
    fundedAccount(workspaceId, payer, ports),
    freePages.waitSeconds(workspaceId),
  ]);
  const nowMs = clock.now();
  affordableCharge(account, payer, nowMs, true);
  // Its page would be read for nothing.
  if (isOverrun(account, nowMs)) throw new AccountBusy();
  if (waitSeconds > 0) throw new FreePagesUsedUp(waitSeconds);
  // Strangers must not be able to shut out those who pay.
  const budgetSeconds = account.balanceKrw > 0 ? 0 : ((await freeWork?.waitSeconds(address)) ?? 0);
  if (budgetSeconds > 0) throw new FreePagesUsedUp(budgetSeconds, 'everybody');
  return account;
}

/** Reads and judges, and counts the page where it will cost nothing. @throws ImageRefused, ReaderUnavailable, DrugMasterMissing */
export async function readAndJudge(
  image: Uint8Array,
  template: Template,
  options: Omit<JudgeOptions, 'today'> & { readonly workspaceId: string; readonly address?: string | null },
  { pages, clock, freePages, freeWork }: Pick<ExtractPorts, 'pages' | 'clock' | 'freePages' | 'freeWork'>,
): Promise<Judgement> {
  const { address = null, ...judging } = options;
  const { workspaceId } = judging;
  const countFree = () => Promise.all([freePages.count(workspaceId), freeWork?.count(address)]);
  const today = koreanDate(clock.now());
  const judgement = await pages.judge(image, template, { ...judging, today }).catch(async (error: unknown) => {
    if (error instanceof ImageRefused && error.refusal === 'unreadable_image') await countFree();
    throw error;
  });
  if (!judgement.page.foundTable) await countFree();
  return judgement;
}

/** Counts one of the free calls, which also draw on the budget. */
export async function countFreeCall(
  { foundTable, cost }: Pick<ExtractionResult, 'foundTable' | 'cost'>,
  address: string | null,
  { freeWork }: Pick<ExtractPorts, 'freeWork'>,
): Promise<void> {
  if (foundTable && cost.free) await freeWork?.count(address);
}

/** Deletes an image that was read, where the workspace keeps none. */
export async function forgetImage(
  uploadKey: string | null,
  account: Account,
  { uploads }: { readonly uploads: Pick<StoredImages, 'remove'> },
): Promise<void> {
  if (uploadKey !== null && !keepsImages(dataSettingsOf(account))) await uploads.remove([uploadKey]);
}

async function settleClaimed(read: ReadPage, ports: ExtractPorts): Promise<ExtractionResult> {
  try {
    return await settle(read, ports);
  } catch (error) {
    if (error instanceof LeaseLost) throw stillRunning(1000);
    throw error;
  }
}
